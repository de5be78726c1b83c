package report

import (
	"strings"
	"testing"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// openInput is an experiment of two targets in an open loop; b's response times are 1.5 times a's.
func openInput(metric string, change func(*result.Schedule)) Input {
	in := two(6, 1, 0.001, 3).input()
	in.Design.Metric = metric
	for i := range in.Targets {
		for j := range in.Targets[i].Trials {
			t := &in.Targets[i].Trials[j]
			late := int64(j+1) * 1000 // so that trials differ
			if i == 1 {
				late += t.Total.Max / 2
			}
			t.Service, t.Response = t.Total, shifted(t.Total, late)
			t.Total = nil
			t.Schedule = &result.Schedule{Rate: 6000, Arrivals: result.ArrivalsConstant, Sent: testRequests}
			if change != nil {
				change(t.Schedule)
			}
		}
	}
	return in
}

// shifted is h with every latency longer by ns.
func shifted(h *result.Histogram, ns int64) *result.Histogram {
	out := *h
	out.Min, out.Max, out.Sum = h.Min+ns, h.Max+ns, h.Sum+h.N()*ns
	out.Counts = nil
	for _, c := range h.Counts {
		out.Counts = append(out.Counts, [2]int64{c[0] + ns, c[1]})
	}
	return &out
}

func TestOpenLoopDecidesOnResponseTimes(t *testing.T) {
	r := mustBuild(t, openInput("p99", nil))
	for i, target := range r.Targets {
		if target.Latency.Kind != "response" || target.ServiceLatency == nil || target.ServiceLatency.Kind != "service" ||
			target.Latency.P99.ValueMS <= target.ServiceLatency.P99.ValueMS {
			t.Errorf("target %d: latency %+v, service %+v", i, target.Latency, target.ServiceLatency)
		}
		if target.Warmup.Status != "untestable" {
			t.Errorf("target %d: warm-up %s of a rate that was asked for", i, target.Warmup.Status)
		}
	}
	if c := r.Comparisons[0]; c.Verdict != "slower" || c.Metric != "p99" {
		t.Errorf("%s on %s, want slower on p99", c.Verdict, c.Metric)
	}
	text := strings.Join(r.Targets[0].lines(), " ")
	if !strings.Contains(text, "from when a request was due; from when it was sent, p50 is") {
		t.Errorf("lines: %s", text)
	}
	if found := codes(r.Targets[0].Findings); found["rate-limited"] != "" || found["missed-schedule"] != "" {
		t.Errorf("findings %v", found)
	}
}

func TestClosedLoopHasNoResponseTimes(t *testing.T) {
	r := mustBuild(t, two(6, 1, 0.001, 3).input())
	if l := r.Targets[0]; l.Latency.Kind != "service" || l.ServiceLatency != nil {
		t.Errorf("latency %+v, service %+v", l.Latency, l.ServiceLatency)
	}
}

func TestRateLimited(t *testing.T) {
	r := mustBuild(t, openInput("rps", nil))
	if codes(r.Targets[1].Findings)["rate-limited"] != "warning" {
		t.Errorf("findings %v", r.Targets[1].Findings)
	}
}

func TestMissedSchedule(t *testing.T) {
	histogram := func(ns, n int64) *result.Histogram {
		return &result.Histogram{Unit: "ns", Digits: 3, Min: ns, Max: ns, Sum: n * ns, Counts: [][2]int64{{ns, n}}}
	}
	for name, c := range map[string]struct {
		change func(*result.Schedule)
		want   []string
	}{
		"in time":      {func(s *result.Schedule) { s.Lag = histogram(900, testRequests) }, nil},
		"a few queued": {func(s *result.Schedule) { s.Queued, s.Wait = 10, histogram(5e6, 10) }, nil},
		"many queued":  {func(s *result.Schedule) { s.Queued, s.Wait = 11, histogram(5e6, 11) }, []string{"66 of 60,000 requests that were due had to wait for a connection (longest 5.00 ms)"}},
		"unsent":       {func(s *result.Schedule) { s.Unsent = 100 }, []string{"600 were not sent before their trial ended"}},
		"this machine": {func(s *result.Schedule) { s.Lag = histogram(3e6, testRequests) }, []string{"this machine itself was late by 3.00 ms at the 99th percentile", "Lower --rate, or give the program"}},
		"all of it": {func(s *result.Schedule) {
			s.Unsent, s.Queued, s.Wait, s.Lag = 100, 50, histogram(1e9, 50), histogram(2e6, 9950)
		}, []string{"had to wait", "were not sent", "this machine itself", "Raise -c"}},
		"nothing to say": {nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			text := ""
			for _, f := range mustBuild(t, openInput("p99", c.change)).Targets[0].Findings {
				if f.Code == "missed-schedule" {
					text = f.Text + " " + f.Advice
				}
			}
			if (text == "") != (c.want == nil) {
				t.Errorf("finding %q, want %q", text, c.want)
			}
			for _, want := range c.want {
				if !strings.Contains(text, want) {
					t.Errorf("finding %q lacks %q", text, want)
				}
			}
		})
	}
}
