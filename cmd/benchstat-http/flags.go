package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/benchstat-http/benchstat-http/internal/config"
	"github.com/benchstat-http/benchstat-http/pkg/report"
)

// seconds is a flag value that takes ab's plain seconds ("30") as well as a duration ("1500ms").
type seconds struct{ d time.Duration }

func (s *seconds) String() string {
	if s == nil || s.d == 0 {
		return ""
	}
	return s.d.String()
}

func (s *seconds) Type() string { return "duration" }

func (s *seconds) Set(text string) error {
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		text = strconv.FormatFloat(n, 'f', -1, 64) + "s"
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return fmt.Errorf("give seconds (30) or a duration (1500ms)")
	}
	s.d = d
	return nil
}

// whole is a flag value that takes a whole number, and says so when it does not get one.
type whole struct{ n int64 }

func (w *whole) String() string {
	if w == nil || w.n == 0 {
		return ""
	}
	return strconv.FormatInt(w.n, 10)
}

func (w *whole) Type() string { return "number" }

func (w *whole) Set(text string) error {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return fmt.Errorf("give one whole number")
	}
	w.n = n
	return nil
}

// loadFlags are the flags of run and compare that settle what is sent; ab's letters keep ab's meaning.
type loadFlags struct {
	requests, concurrency, trials, warmup whole
	duration, timeout, requestTimeout     seconds
	cooldown                              seconds
	keepAlive, head, quiet                bool
	anyLength, survive                    bool
	method, post, put, contentType        string
	headers, cookies, set                 []string
	auth                                  string
	order, engine, arrivals               string
	rate                                  float64
	seed                                  uint64
	allowUnfair, dryRun                   bool
	output, resume                        string
}

func (f *loadFlags) add(fs *pflag.FlagSet) {
	fs.VarP(&f.requests, "requests", "n", "requests per trial (default 10000)")
	fs.VarP(&f.concurrency, "concurrency", "c", "connections at a time (default 50)")
	fs.VarP(&f.duration, "duration", "t", "seconds per trial, instead of -n")
	fs.VarP(&f.timeout, "timeout", "s", "seconds without progress on a connection that fail a request (default 30)")
	fs.Var(&f.requestTimeout, "request-timeout", "limit on a whole request (default none)")
	fs.Float64Var(&f.rate, "rate", 0, "requests per second that are due whatever became of those before (default: the next follows the reply)")
	fs.StringVar(&f.arrivals, "arrivals", "", "with --rate: constant or poisson (default constant)")
	fs.BoolVarP(&f.keepAlive, "keepalive", "k", false, "keep connections alive (default: Connection: close)")
	fs.BoolVarP(&f.head, "head", "i", false, "send HEAD requests")
	fs.StringVarP(&f.method, "method", "m", "", "request method (default GET)")
	fs.StringVarP(&f.post, "post", "p", "", "file to POST")
	fs.StringVarP(&f.put, "put", "u", "", "file to PUT")
	fs.StringVarP(&f.contentType, "content-type", "T", "", "Content-Type of the request body")
	fs.StringArrayVarP(&f.headers, "header", "H", nil, "request header 'Name: value' (repeatable)")
	fs.StringArrayVarP(&f.cookies, "cookie", "C", nil, "cookie NAME=VALUE (repeatable)")
	fs.StringVarP(&f.auth, "auth", "A", "", "basic authentication USER:PASSWORD")
	fs.BoolVarP(&f.anyLength, "variable-length", "l", false, "accepted for ab's sake: a varying length never fails a request unless 'expect' states one")
	fs.BoolVarP(&f.survive, "survive", "r", false, "accepted for ab's sake: a socket error never ends a trial")
	fs.BoolVarP(&f.quiet, "quiet", "q", false, "no progress output")

	fs.Var(&f.trials, "trials", "trials per target (default 10)")
	fs.Var(&f.warmup, "warmup", "warm-up requests before every trial, not counted (default 100)")
	fs.Var(&f.cooldown, "cooldown", "pause between trials (default 500ms)")
	fs.StringVar(&f.order, "order", "", "random-blocks, sequential or abba (default random-blocks)")
	fs.Uint64Var(&f.seed, "seed", 0, "seed of the order of measurement (default drawn, and recorded)")
	fs.StringVar(&f.engine, "engine", "", "what sends the load: native (default native)")
	fs.StringArrayVar(&f.set, "set", nil, "set a key of the target file, such as load.concurrency=10 (repeatable)")
	fs.BoolVar(&f.allowUnfair, "allow-unfair", false, "compare targets whose load differs")
	fs.BoolVar(&f.dryRun, "dry-run", false, "print the plan, and send nothing")
	fs.StringVarP(&f.output, "output", "o", "", "result file (default ./NAME-YYYYMMDD-HHMMSS.jsonl)")
	fs.StringVar(&f.resume, "resume", "", "continue the interrupted experiment of this result file")
}

// given returns the overrides for the flags that stand on the command line.
func (f *loadFlags) given(fs *pflag.FlagSet, d *decisionFlags) config.Flags {
	out := config.Flags{Headers: f.headers, Cookies: f.cookies, Set: f.set, AllowUnfair: f.allowUnfair, Head: f.head}
	setIf(fs, "requests", &out.Requests, f.requests.n)
	setIf(fs, "concurrency", &out.Concurrency, int(f.concurrency.n))
	setIf(fs, "duration", &out.Duration, f.duration.d)
	setIf(fs, "timeout", &out.Timeout, f.timeout.d)
	setIf(fs, "request-timeout", &out.RequestTimeout, f.requestTimeout.d)
	setIf(fs, "rate", &out.Rate, f.rate)
	setIf(fs, "arrivals", &out.Arrivals, f.arrivals)
	setIf(fs, "keepalive", &out.KeepAlive, f.keepAlive)
	setIf(fs, "method", &out.Method, f.method)
	setIf(fs, "post", &out.Post, f.post)
	setIf(fs, "put", &out.Put, f.put)
	setIf(fs, "content-type", &out.ContentType, f.contentType)
	setIf(fs, "auth", &out.BasicAuth, f.auth)
	setIf(fs, "trials", &out.Trials, int(f.trials.n))
	setIf(fs, "warmup", &out.Warmup, f.warmup.n)
	setIf(fs, "cooldown", &out.Cooldown, f.cooldown.d)
	setIf(fs, "order", &out.Order, f.order)
	setIf(fs, "seed", &out.Seed, f.seed)
	setIf(fs, "metric", &out.Metric, d.metric)
	setIf(fs, "family", &out.Family, d.family)
	setIf(fs, "engine", &out.Engine, f.engine)
	setIf(fs, "alpha", &out.Alpha, d.alpha)
	setIf(fs, "margin", &out.Margin, d.margin)
	setIf(fs, "test", &out.Test, d.test)
	return out
}

// setIf points dst at value when the flag was given.
func setIf[T any](fs *pflag.FlagSet, name string, dst **T, value T) {
	if fs.Changed(name) {
		*dst = &value
	}
}

// measuringOnly returns the names of the given flags that have no meaning without a measurement.
func measuringOnly(fs *pflag.FlagSet) []string {
	shared := map[string]bool{"format": true, "alpha": true, "margin": true, "test": true, "metric": true, "family": true,
		"verbose": true, "quiet": true, "help": true,
		"values": true, "design": true}
	var names []string
	fs.Visit(func(f *pflag.Flag) {
		if !shared[f.Name] {
			names = append(names, "--"+f.Name)
		}
	})
	return names
}

// decisionFlags settle how a comparison is decided.
type decisionFlags struct {
	alpha                        float64
	margin, test, metric, family string
}

func (d *decisionFlags) add(fs *pflag.FlagSet) {
	fs.Float64Var(&d.alpha, "alpha", 0.05, "probability of a false claim")
	fs.StringVar(&d.margin, "margin", "1%", "the smallest relative change that matters")
	fs.StringVar(&d.test, "test", "auto", "auto, paired or welch")
	fs.StringVar(&d.metric, "metric", "rps", "what is compared: "+strings.Join(report.Metrics(), ", "))
	fs.StringVar(&d.family, "family", "baseline", "comparisons that share alpha: baseline or all-pairs")
}

// reportFlags settle how a report is shown.
type reportFlags struct {
	format  string
	verbose bool
}

func (r *reportFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&r.format, "format", "table", "table, json, markdown or r (a script that recomputes the numbers)")
	fs.BoolVar(&r.verbose, "verbose", false, "show every method with its name")
}

func (r *reportFlags) check() error {
	switch r.format {
	case "table", "json", "markdown", "r":
		return nil
	}
	return usagef("unknown --format %q; give one of table, json, markdown, r", strings.TrimSpace(r.format))
}
