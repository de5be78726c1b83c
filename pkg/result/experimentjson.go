package result

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"time"
)

// plainExperiment is Experiment with the plan as bytes: a plan that was read is written again exactly as it was, with
// the fields that this version does not know, so that its hash stays true.
type plainExperiment struct {
	Type       string          `json:"type"`
	Schema     string          `json:"schema"`
	Name       string          `json:"name"`
	Version    string          `json:"version"`
	Plan       json.RawMessage `json:"plan"`
	PlanSHA256 string          `json:"plan_sha256"`
	Started    time.Time       `json:"started"`
	Machine    map[string]any  `json:"machine,omitzero"`
}

var experimentFields = fieldNames(reflect.TypeFor[plainExperiment]())

// PlanHash returns the lower-case hex SHA-256 of a plan's JSON bytes as they stand on the experiment line.
func PlanHash(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// PlanBytes returns the plan's JSON as MarshalJSON writes it: the bytes that were read while Plan still says the same,
// else Plan encoded anew.
func (e *Experiment) PlanBytes() ([]byte, error) {
	if e.rawPlan != nil {
		var read Plan
		if err := json.Unmarshal(e.rawPlan, &read); err == nil && reflect.DeepEqual(read, e.Plan) {
			return e.rawPlan, nil
		}
	}
	return encode(e.Plan)
}

// MarshalJSON writes the experiment as line 1 of the result file holds it, without the chain. PlanSHA256 is computed
// from the plan's bytes as written, whatever e says; an empty Type or Schema gets its only value.
func (e *Experiment) MarshalJSON() ([]byte, error) {
	raw, err := e.PlanBytes()
	if err != nil {
		return nil, err
	}
	p := plainExperiment{
		Type: TypeExperiment, Schema: e.Schema, Name: e.Name, Version: e.Version,
		Plan: raw, PlanSHA256: PlanHash(raw), Started: e.Started, Machine: e.Machine,
	}
	if p.Schema == "" {
		p.Schema = Schema
	}
	object, err := encode(p)
	if err != nil {
		return nil, err
	}
	return withExtra(object, e.Extra, withChain(experimentFields))
}

// UnmarshalJSON reads an experiment line. Unknown fields go to Extra, those inside the plan are kept with its bytes.
// It fails on a value of the wrong type, on a schema other than Schema, and on a schedule that names a target the plan
// does not have. PlanSHA256 is what the line says; PlanIntact compares.
func (e *Experiment) UnmarshalJSON(data []byte) error {
	var p plainExperiment
	extra, err := decodeObject(data, &p, experimentFields)
	if err != nil {
		return err
	}
	if p.Schema != Schema {
		return fmt.Errorf("read experiment: schema %q is not %q; a newer version of this program may have written it", p.Schema, Schema)
	}
	if p.Plan == nil {
		return errors.New("read experiment: no plan")
	}
	var raw bytes.Buffer
	if err := json.Compact(&raw, p.Plan); err != nil {
		return err
	}
	out := Experiment{
		Type: p.Type, Schema: p.Schema, Name: p.Name, Version: p.Version, PlanSHA256: p.PlanSHA256,
		Started: p.Started, Machine: p.Machine, Extra: extra, rawPlan: raw.Bytes(),
	}
	if err := json.Unmarshal(p.Plan, &out.Plan); err != nil {
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			wrong.Offset += int64(bytes.Index(data, p.Plan)) // of the line, not of the plan
		}
		return fmt.Errorf("read plan: %w", err)
	}
	for b, row := range out.Plan.Schedule {
		for _, i := range row {
			if i < 0 || i >= len(out.Plan.Targets) {
				return fmt.Errorf("read plan: row %d of the schedule names target %d of %d", b+1, i, len(out.Plan.Targets))
			}
		}
	}
	*e = out
	return nil
}

// PlanIntact reports whether PlanSHA256 is the hash of the plan, as it always is on a line that nobody changed.
func (e *Experiment) PlanIntact() bool {
	raw, err := e.PlanBytes()
	return err == nil && PlanHash(raw) == e.PlanSHA256
}
