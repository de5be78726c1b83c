package result

import (
	"bytes"
	"testing"
)

// FuzzRead: Read never panics, and what it accepts is written in a form that reads and writes as the same bytes again.
func FuzzRead(f *testing.F) {
	f.Add(sample(f))
	f.Add(sample(f)[:700])
	f.Add([]byte(`{"type":"trial","target":"x","RPS":7,"seconds":null,"raw":[1, {"a":2}],"é":"\ud800"}` + "\n" + `{"type":"later"}`))
	f.Add([]byte(`{"type":"experiment","schema":"benchstat-http/result/1","plan":{"targets":[{"name":"x"}],"schedule":[[0]]}}`))
	f.Add([]byte("{\"type\":\"trial\",\"latency_ms\":{\"p50\":1e300},\"total\":{\"unit\":\"ns\",\"counts\":[[1,2]]}}\r\n\n{\"type\":\"end\",\"Type\":1}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Read(bytes.NewReader(data), "fuzz")
		if err != nil {
			return
		}
		if file.Size > int64(len(data)) || file.Torn != (file.TornAt > 0) {
			t.Fatalf("%+v", file)
		}
		for i := range file.Trials {
			for _, h := range []*Histogram{file.Trials[i].Total, file.Trials[i].Wait} {
				if h != nil {
					h.Quantile(0.5)
				}
			}
		}
		var once, twice bytes.Buffer
		if err := Write(&once, file); err != nil {
			t.Fatalf("accepted, but cannot be written: %v", err)
		}
		if once.Len() == 0 {
			return // nothing but a torn line
		}
		again, err := Read(bytes.NewReader(once.Bytes()), "written")
		if err != nil {
			t.Fatalf("written, but cannot be read: %v\n%s", err, once.Bytes())
		}
		if again.ChainBroken != 0 || again.Torn || len(again.Trials) != len(file.Trials) || len(again.Unknown) != len(file.Unknown) {
			t.Fatalf("%+v\nwritten:\n%s", again, once.Bytes())
		}
		if err := Write(&twice, again); err != nil || !bytes.Equal(once.Bytes(), twice.Bytes()) {
			t.Fatalf("%v\nonce:\n%s\ntwice:\n%s", err, once.Bytes(), twice.Bytes())
		}
	})
}
