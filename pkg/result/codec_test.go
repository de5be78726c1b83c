package result

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 5, 6, 12, 0, 0, 0, time.UTC)

func sampleExperiment() *Experiment {
	return &Experiment{
		Name: "a vs b", Version: "v0", Started: noon, Machine: map[string]any{"cpus": 2.0, "os": "linux <&>"},
		Plan: Plan{
			Name: "a vs b", Blocks: 1, Order: "random-blocks", Seed: math.MaxUint64, Schedule: [][]int{{1, 0}}, Margin: 0.01, Alpha: 0.05,
			Targets: []Target{
				{Name: "a", URL: "http://127.0.0.1/?a=1&b=<2>", Request: Request{Method: "GET", Body: []byte{0, 255}}, Expect: Expect{Status: new(200)}},
				{Name: "b", URL: "http://127.0.0.1/b", Tags: map[string]string{"php": "8"}},
			},
		},
	}
}

func sampleTrial(target string, n int) Trial {
	return Trial{
		Type: TypeTrial, Target: target, Trial: n, Block: 1, Position: n, Valid: true,
		Measurement: Measurement{
			Started: noon, Seconds: new(1.5), Requests: new(int64(100)), OK: new(int64(100)), Failed: new(int64(0)), RPS: new(100 / 1.5),
			Status: map[string]int64{"200": 100}, Errors: map[string]int64{},
			Total:     &Histogram{Unit: "ns", Digits: 3, Min: 1, Max: 9, Sum: 500, Counts: [][2]int64{{5, 60}, {9, 40}}},
			Intervals: &Intervals{WidthMS: 100, Counts: []int64{50, 50}}, FirstError: "a < b & c",
		},
	}
}

// sample is a complete result file.
func sample(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(&b)
	for _, err := range []error{
		w.Begin(sampleExperiment()), w.Append(new(sampleTrial("b", 1))), w.Append(new(sampleTrial("a", 1))),
		w.End(End{Ended: noon, Reason: "complete"}), w.End(End{Reason: "again"}), w.Close(),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

func mustRead(t testing.TB, data []byte) *File {
	t.Helper()
	f, err := Read(bytes.NewReader(data), "x.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func mustWrite(t testing.TB, f *File) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, f); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestRoundTrip(t *testing.T) {
	data := sample(t)
	f := mustRead(t, data)
	want := sampleExperiment()
	if !reflect.DeepEqual(f.Experiment.Plan, want.Plan) || !reflect.DeepEqual(f.Experiment.Machine, want.Machine) || !f.Experiment.PlanIntact() {
		t.Errorf("experiment %+v", f.Experiment)
	}
	if !reflect.DeepEqual(f.Trials, []Trial{sampleTrial("b", 1), sampleTrial("a", 1)}) {
		t.Errorf("trials %+v", f.Trials)
	}
	if f.Interrupted() || f.Torn || f.ChainBroken != 0 || f.Lines != 4 || f.Size != int64(len(data)) {
		t.Errorf("file %+v", f)
	}
	if e := *f.End; e.Trials != 2 || e.Reason != "complete" || !e.Ended.Equal(noon) {
		t.Errorf("end %+v", e)
	}
	if again := mustWrite(t, f); !bytes.Equal(again, data) {
		t.Errorf("rewritten:\n%s\nwant:\n%s", again, data)
	}
	if !bytes.Contains(data, []byte(`"a < b & c"`)) {
		t.Error("readable characters were escaped")
	}
}

// The chain and the plan's hash, computed here from their definition.
func TestChainDefinition(t *testing.T) {
	previous := ""
	for i, line := range strings.Split(strings.TrimSpace(string(sample(t))), "\n") {
		at := strings.LastIndex(line, `,"chain":"`)
		sum := sha256.Sum256([]byte(previous + line[:at] + "}"))
		previous = hex.EncodeToString(sum[:])
		if want := line[:at] + `,"chain":"` + previous + `"}`; line != want {
			t.Errorf("line %d: %s, want %s", i+1, line, want)
		}
	}
	var head struct {
		Plan json.RawMessage `json:"plan"`
		Hash string          `json:"plan_sha256"`
	}
	first, _, _ := bytes.Cut(sample(t), []byte("\n"))
	if err := json.Unmarshal(first, &head); err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256(head.Plan); head.Hash != hex.EncodeToString(sum[:]) || head.Hash != PlanHash(head.Plan) {
		t.Errorf("plan_sha256 %s, want %x", head.Hash, sum)
	}
}

// The two lines and the program of docs/formats.md are what the code does.
func TestChainAsDocumented(t *testing.T) {
	doc, err := os.ReadFile("../../docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	block := func(language string) string {
		_, rest, ok := strings.Cut(string(doc), "```"+language+"\n")
		text, _, closed := strings.Cut(rest, "```")
		if !ok || !closed {
			t.Fatalf("no block of %s", language)
		}
		return text
	}
	f := mustRead(t, []byte(block("jsonl")))
	if f.ChainBroken != 0 || f.chain == "" || len(f.Trials) != 2 {
		t.Errorf("the worked example: chain broken at %d, %d trials", f.ChainBroken, len(f.Trials))
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("skipped: python3 is not installed, so the documented program was not run")
	}
	good, bad := filepath.Join(t.TempDir(), "good"), filepath.Join(t.TempDir(), "bad")
	data := sample(t)
	for path, content := range map[string][]byte{good: data, bad: bytes.Replace(data, []byte(`"ok":100`), []byte(`"ok":101`), 1)} {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.CommandContext(t.Context(), python, "-c", block("python"), good).CombinedOutput(); err != nil {
		t.Errorf("python on an intact file: %v\n%s", err, out)
	}
	if out, err := exec.CommandContext(t.Context(), python, "-c", block("python"), bad).CombinedOutput(); err == nil || !strings.Contains(string(out), "line 2") {
		t.Errorf("python on a changed file: %v\n%s", err, out)
	}
}

// A file cut at any byte is read up to its last whole line, and can be continued from there.
func TestEveryCut(t *testing.T) {
	data := sample(t)
	for cut := 1; cut < len(data); cut++ {
		f, err := Read(bytes.NewReader(data[:cut]), "x")
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		whole := bytes.LastIndexByte(data[:cut], '\n') + 1
		if data[cut] == '\n' {
			whole = cut // all of the line but its newline
		}
		torn := whole != cut
		lines := bytes.Count(data[:whole], []byte("\n"))
		if data[cut] == '\n' {
			lines++
		}
		if f.Size != int64(whole) || f.Torn != torn || f.Lines != lines || f.ChainBroken != 0 || torn && f.TornAt != lines+1 {
			t.Fatalf("cut at %d (whole %d, %d lines): %+v", cut, whole, lines, f)
		}
		if len(f.Trials) != max(0, min(2, lines-1)) || f.Interrupted() != (lines < 4) {
			t.Fatalf("cut at %d: %d trials, interrupted %v", cut, len(f.Trials), f.Interrupted())
		}
	}
}

func TestChainBroken(t *testing.T) {
	data := string(sample(t))
	lines := strings.SplitAfter(data, "\n")
	for name, test := range map[string]struct {
		data string
		want int
	}{
		"value changed":     {strings.Replace(data, `"ok":100`, `"ok":200`, 1), 2},
		"line removed":      {lines[0] + lines[2] + lines[3], 2},
		"lines swapped":     {lines[0] + lines[2] + lines[1] + lines[3], 2},
		"chain removed":     {lines[0] + `{"type":"trial","target":"a"}` + "\n" + lines[2], 2},
		"line before":       {`{"type":"trial","target":"a"}` + "\n" + lines[0], 2},
		"chain not hex":     {lines[0] + strings.Replace(lines[1], `"chain":"`, `"chain":"X`, 1)[:len(lines[1])-2] + "\"}\n", 2},
		"no chain anywhere": {`{"type":"trial","target":"a"}` + "\n" + `{"type":"trial","target":"b"}`, 0},
		"carriage returns":  {strings.ReplaceAll(data, "\n", "\r\n"), 0},
	} {
		if f := mustRead(t, []byte(test.data)); f.ChainBroken != test.want {
			t.Errorf("%s: broken at %d, want %d", name, f.ChainBroken, test.want)
		}
	}
}

func TestUnknownFieldsSurvive(t *testing.T) {
	in := `{"type":"experiment","schema":"benchstat-http/result/1","new":{"a":[1, 2.50]},"plan":{"name":"p","targets":[{"name":"x","url":"u","cloud":"<eu>"}],"future":1e400}}
{"type":"note","text":"kept"}
{"type":"trial","target":"x","trial":1,"RPS":7,"seconds":null,"ok":0,"quantum":"spin","errors":{},"colour":null}
`
	f := mustRead(t, []byte(in))
	if x := f.Trials[0]; x.RPS != nil || x.Seconds != nil || x.OK == nil || *x.OK != 0 || x.Failed != nil || x.Status != nil || x.Errors == nil {
		t.Errorf("null, absent and 0 are mixed up: %+v", x)
	}
	if len(f.Unknown) != 1 || f.Experiment.Plan.Name != "p" {
		t.Errorf("%+v", f)
	}
	out := string(mustWrite(t, f))
	for _, want := range []string{
		`"new":{"a":[1,2.50]}`, `"plan":{"name":"p","targets":[{"name":"x","url":"u","cloud":"<eu>"}],"future":1e400}`,
		`{"type":"note","text":"kept","chain":`, `"RPS":7`, `"quantum":"spin"`, `"seconds":null`, `"ok":0`, `"errors":{}`, `"colour":null`,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%s is lost in\n%s", want, out)
		}
	}
	again := mustRead(t, []byte(out))
	if !again.Experiment.PlanIntact() || again.ChainBroken != 0 || !maps.EqualFunc(again.Trials[0].Extra, f.Trials[0].Extra, func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }) {
		t.Errorf("rewritten file: %+v", again)
	}
	f.Experiment.Plan.Name = "changed"
	if raw, err := f.Experiment.PlanBytes(); err != nil || !bytes.Contains(raw, []byte("changed")) || f.Experiment.PlanIntact() {
		t.Errorf("a changed plan is written as it was: %s, %v", raw, err)
	}
}

// A field in Extra never doubles one of the trial's own, and an empty value is null.
func TestExtraCannotOverride(t *testing.T) {
	x := Trial{Target: "a", Extra: map[string]json.RawMessage{"target": json.RawMessage(`"b"`), "chain": json.RawMessage(`1`), "z": nil}}
	got, err := json.Marshal(x)
	if err != nil || bytes.Count(got, []byte(`"target"`)) != 1 || bytes.Contains(got, []byte("chain")) || !bytes.HasSuffix(got, []byte(`,"z":null}`)) {
		t.Errorf("%s, %v", got, err)
	}
	x.Extra["z"] = json.RawMessage(`{`)
	if _, err := json.Marshal(x); err == nil {
		t.Error("an invalid value was written")
	}
}

func TestNumbersThatDoNotExistAreNull(t *testing.T) {
	x := sampleTrial("a", 1)
	x.RPS, x.Seconds, x.T10 = new(math.NaN()), new(math.Inf(1)), new(math.Inf(-1))
	x.LatencyMS = map[string]float64{"mean": math.NaN(), "p50": 1}
	x.ConnectionTimes = map[string]map[string]float64{"total": {"sd": math.Inf(1), "min": 2}, "waiting": nil}
	got, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"rps":null`, `"seconds":null`, `"latency_ms":{"p50":1}`, `"total":{"min":2}`} {
		if !strings.Contains(string(got), want) {
			t.Errorf("%s is missing in %s", want, got)
		}
	}
	if !math.IsNaN(*x.RPS) || len(x.LatencyMS) != 2 {
		t.Error("writing changed the trial")
	}
}

func TestReadErrorsNameThePlace(t *testing.T) {
	head := `{"type":"trial","target":"a"}` + "\n"
	experiment := `{"type":"experiment","schema":"benchstat-http/result/1","plan":{"name":"p"}}` + "\n"
	for name, test := range map[string]struct{ data, want string }{
		"empty":             {"", "read f: the file is empty"},
		"blank":             {" \n\n", "read f: the file is empty"},
		"not JSON":          {"hello\n", "read f:1:1: not JSON: "},
		"one bad line":      {`{"rps":1,`, "read f:1:9: not JSON: unexpected end"},
		"middle":            {head + `{"type":"trial",}` + "\n" + head, "read f:2:17: not JSON: "},
		"array":             {"[1]\n", `read f:1:1: "" cannot be a JSON array`},
		"null":              {"null\n", `read f:1:1: the line has no "type"`},
		"no type":           {head + "{}", `read f:2:1: the line has no "type"`},
		"wrong type":        {head + `{"type":"trial","rps":"fast"}`, `read f:2:28: "rps" cannot be a JSON string`},
		"wrong type, twice": {`{"type":"trial","Rps":1,"trial":1.5}`, `"trial" cannot be a JSON number 1.5`},
		"overflow":          {`{"type":"trial","ok":99999999999999999999}`, `"ok" cannot be a JSON number 99999999999999999999`},
		"time":              {`{"type":"trial","started":"noon"}`, "read f:1:1: parsing time"},
		"histogram":         {`{"type":"trial","wait":{"unit":"ns","counts":[[2,1],[1,1]]}}`, "read f:1:1: read histogram: bound 1 of bucket 2"},
		"two experiments":   {experiment + experiment, "read f:2:1: a second experiment line"},
		"schema":            {`{"type":"experiment","schema":"benchstat-http/result/9","plan":{}}`, `read f:1:1: read experiment: schema "benchstat-http/result/9"`},
		"no plan":           {`{"type":"experiment","schema":"benchstat-http/result/1"}`, "read f:1:1: read experiment: no plan"},
		"plan field":        {strings.Replace(experiment, `"p"`, `[]`, 1), `"name" cannot be a JSON array`},
		"experiment field":  {strings.Replace(experiment, `"plan"`, `"name":1,"plan"`, 1), `"name" cannot be a JSON number`},
		"schedule":          {strings.Replace(experiment, `"name":"p"`, `"schedule":[[0]],"targets":[]`, 1), "row 1 of the schedule names target 0 of 0"},
		"end":               {`{"type":"end","trials":"two"}`, `"trials" cannot be a JSON string`},
		"deep":              {head + `{"type":"trial","x":` + strings.Repeat("[", 200_000) + "\n", "read f:2:10020: not JSON: invalid character '[' exceeded max depth"},
	} {
		f, err := Read(strings.NewReader(test.data), "f")
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v (%+v), want %q", name, err, f, test.want)
		}
	}
	if _, err := Read(iotestReader{}, "f"); !errors.Is(err, errDevice) {
		t.Errorf("device error: %v", err)
	}
}

var errDevice = errors.New("device failed")

type iotestReader struct{}

func (iotestReader) Read([]byte) (int, error) { return 0, errDevice }

// endless is a line without end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func TestReadBoundsTheLine(t *testing.T) {
	if _, err := Read(endless{}, "f"); err == nil || !strings.Contains(err.Error(), "read f:1: a line is longer than 64 MiB") {
		t.Error(err)
	}
}

func TestReadTailOfZeros(t *testing.T) {
	data := sample(t)
	f := mustRead(t, append(bytes.Clone(data), make([]byte, 4096)...))
	if !f.Torn || f.TornAt != 5 || f.Size != int64(len(data)) || f.Interrupted() {
		t.Errorf("%+v", f)
	}
}

func TestTrialAfterEndIsInterrupted(t *testing.T) {
	f := mustRead(t, sample(t))
	var b bytes.Buffer
	b.Write(sample(t))
	w := &Writer{w: &b, chain: f.chain, ended: true}
	if err := w.Append(new(sampleTrial("a", 2))); err != nil {
		t.Fatal(err)
	}
	if f = mustRead(t, b.Bytes()); !f.Interrupted() || f.ChainBroken != 0 {
		t.Errorf("%+v", f)
	}
}

func TestMarshalErrors(t *testing.T) {
	e := sampleExperiment()
	e.Plan.Margin = math.NaN()
	if err := NewWriter(&bytes.Buffer{}).Begin(e); err == nil || e.PlanIntact() {
		t.Error("a plan that cannot be written was written")
	}
	if _, err := json.Marshal(e); err == nil {
		t.Error("a plan that cannot be written was written")
	}
	e = sampleExperiment()
	e.Machine = map[string]any{"f": func() {}}
	if err := NewWriter(&bytes.Buffer{}).Begin(e); err == nil {
		t.Error("a machine that cannot be written was written")
	}
	if err := NewWriter(&bytes.Buffer{}).Append(&Trial{Raw: json.RawMessage("{")}); err == nil {
		t.Error("a raw value that is not JSON was written")
	}
	var x Trial
	if err := x.UnmarshalJSON([]byte("{")); err == nil {
		t.Error("half a trial was read")
	}
}
