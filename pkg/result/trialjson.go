package result

import (
	"math"
	"reflect"
)

// plainTrial has the fields of Trial without its methods, so that the codec can use encoding/json for them.
type plainTrial Trial

var trialFields = fieldNames(reflect.TypeFor[Trial]())

// MarshalJSON writes the trial as one line of the result file holds it, without the chain: the known fields in the
// order of the types, then Extra. A number that does not exist (NaN, ±Inf) becomes null; an empty Type becomes "trial".
func (t Trial) MarshalJSON() ([]byte, error) {
	if t.Type == "" {
		t.Type = TypeTrial
	}
	t.Measurement = t.finite()
	t.LatencyMS = finiteMap(t.LatencyMS)
	if t.ConnectionTimes != nil {
		times := make(map[string]map[string]float64, len(t.ConnectionTimes))
		for name, row := range t.ConnectionTimes {
			times[name] = finiteMap(row)
		}
		t.ConnectionTimes = times
	}
	object, err := encode(plainTrial(t))
	if err != nil {
		return nil, err
	}
	return withExtra(object, t.Extra, withChain(trialFields))
}

// UnmarshalJSON reads a trial. Fields that this version does not know go to Extra; the chain is dropped, because it
// belongs to the line and not to the trial. Null and absent both leave a pointer nil; neither becomes 0. It fails on a
// value of the wrong type and on a histogram that Validate refuses.
func (t *Trial) UnmarshalJSON(data []byte) error {
	var p plainTrial
	extra, err := decodeObject(data, &p, trialFields)
	if err != nil {
		return err
	}
	for _, h := range p.histograms() {
		if h == nil {
			continue
		}
		if err := h.Validate(); err != nil {
			return err
		}
	}
	*t = Trial(p)
	t.Extra = extra
	return nil
}

// finite returns the measurement with every number that is not finite removed.
func (m Measurement) finite() Measurement {
	for _, p := range []**float64{
		&m.Seconds, &m.RPS, &m.BytesPerSecond, &m.T10, &m.TLastIssue, &m.ClientCPUSeconds, &m.ServerCPUSeconds,
	} {
		if *p != nil && !isFinite(**p) {
			*p = nil
		}
	}
	return m
}

func finiteMap(m map[string]float64) map[string]float64 {
	if m == nil {
		return nil
	}
	out := make(map[string]float64, len(m))
	for k, v := range m {
		if isFinite(v) {
			out[k] = v
		}
	}
	return out
}

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
