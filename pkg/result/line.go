package result

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// encode is json.Marshal without the escaping of <, > and &, so that the bytes on a line are those that a reader of
// the file sees, and a raw value passes through unchanged.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// withExtra adds unknown fields to the end of an encoded object, in the order of their names. A name that the object
// could hold itself is left out: a key appears once.
func withExtra(object []byte, extra map[string]json.RawMessage, known map[string]bool) ([]byte, error) {
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		if known[name] {
			continue
		}
		key, err := encode(name)
		if err != nil {
			return nil, err
		}
		value := extra[name]
		if len(value) == 0 {
			value = json.RawMessage("null")
		}
		object = object[:len(object)-1] // the closing brace
		if len(object) > 1 {
			object = append(object, ',')
		}
		object = append(append(append(append(object, key...), ':'), value...), '}')
	}
	return object, nil
}

// decodeObject decodes a JSON object into v (a pointer to a struct) and returns the fields that v does not have.
// Names match exactly: encoding/json alone would take "RPS" for "rps" and hide a foreign field.
func decodeObject(data []byte, v any, known map[string]bool) (map[string]json.RawMessage, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return nil, err
	}
	var extra map[string]json.RawMessage
	folded := false
	for name, value := range fields {
		if known[name] {
			continue
		}
		if extra == nil {
			extra = map[string]json.RawMessage{}
		}
		extra[name] = value
		folded = folded || foldsInto(name, known)
	}
	if folded {
		for name := range extra {
			delete(fields, name)
		}
		exact, err := encode(fields)
		if err != nil {
			return nil, err
		}
		data = exact
	}
	delete(extra, chainKey)
	if len(extra) == 0 {
		extra = nil
	}
	return extra, json.Unmarshal(data, v)
}

func foldsInto(name string, known map[string]bool) bool {
	for k := range known {
		if strings.EqualFold(name, k) {
			return true
		}
	}
	return false
}

// fieldNames lists the JSON names of a struct's fields, those of embedded structs included.
func fieldNames(t reflect.Type) map[string]bool {
	names := map[string]bool{}
	for f := range t.Fields() {
		if f.Anonymous {
			maps.Copy(names, fieldNames(f.Type))
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name != "" && name != "-" {
			names[name] = true
		}
	}
	return names
}
