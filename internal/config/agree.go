package config

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/benchstat-http/benchstat-http/pkg/result"
)

// aspect is one value that all targets must share.
type aspect struct {
	key, flag string
	value     func(i int) string
	at        func(i int) place
}

// agreeLoad refuses targets whose load, warm-up or request payload differs: their rates could not be compared.
func agreeLoad(specs []*spec, targets []result.Target) error {
	show := func(v any) string { return fmt.Sprint(v) }
	seconds := func(v float64) string { return fmt.Sprintf("%gs", v) }
	load := func(i int) (loadSpec, result.Load) { return specs[i].load, targets[i].Load }
	list := []aspect{
		{"load.duration", "-t", func(i int) string { _, l := load(i); return seconds(l.DurationSeconds) }, func(i int) place { return specs[i].load.duration.at }},
		{"load.requests", "-n", func(i int) string { _, l := load(i); return show(l.Requests) }, func(i int) place { return specs[i].load.requests.at }},
		{"load.concurrency", "-c", func(i int) string { _, l := load(i); return show(l.Concurrency) }, func(i int) place { return specs[i].load.concurrency.at }},
		{"load.keepalive", "-k", func(i int) string { _, l := load(i); return show(l.KeepAlive) }, func(i int) place { return specs[i].load.keepalive.at }},
		{"load.timeout", "-s", func(i int) string { _, l := load(i); return seconds(l.TimeoutSeconds) }, func(i int) place { return specs[i].load.timeout.at }},
		{"load.request_timeout", "--request-timeout", func(i int) string { _, l := load(i); return seconds(l.RequestTimeoutSeconds) }, func(i int) place { return specs[i].load.requestTimeout.at }},
		{"load.rate", "--rate", func(i int) string { _, l := load(i); return show(l.Rate) }, func(i int) place { return specs[i].load.rate.at }},
		{"load.arrivals", "--arrivals", func(i int) string { _, l := load(i); return cmp.Or(l.Arrivals, "not stated") }, func(i int) place { return specs[i].load.arrivals.at }},
		{"warmup.mode", "--warmup", func(i int) string { return targets[i].Warmup.Mode }, func(i int) place { return warmupPlace(specs[i].warmup) }},
		{"warmup.requests", "--warmup", func(i int) string { return show(targets[i].Warmup.Requests) }, func(i int) place { return specs[i].warmup.requests.at }},
		{"request.method", "-m", func(i int) string { return targets[i].Request.Method }, func(i int) place { return specs[i].request.method.at }},
		{"request.body", "-p", func(i int) string { return bodyName(targets[i].Request) }, func(i int) place { return specs[i].request.body.at }},
	}
	for _, a := range list {
		for i := 1; i < len(targets); i++ {
			if a.value(0) != a.value(i) {
				return &Error{Msg: fmt.Sprintf("load-differs: %s is %s (%s) but %s (%s)", a.key, a.value(0), a.at(0), a.value(i), a.at(i)),
					Hint: "make them equal, give " + a.flag + ", or --allow-unfair"}
			}
		}
	}
	return nil
}

func warmupPlace(s warmupSpec) place {
	if s.mode.at.stated() {
		return s.mode.at
	}
	return s.requests.at
}

func bodyName(r result.Request) string {
	if r.BodySHA256 == "" {
		return "empty"
	}
	return fmt.Sprintf("%d bytes with SHA-256 %.12s", len(r.Body), r.BodySHA256)
}

// experiment is what belongs to no single target.
type experiment struct {
	trials   trialsSpec
	decision decisionSpec
}

// agreeExperiment joins what the targets state for the experiment; a value stated by one holds for all.
func agreeExperiment(specs []*spec) (experiment, error) {
	var x experiment
	for _, s := range specs {
		err := firstError(
			take(&x.trials.count, s.trials.count, "trials.count", "--trials"),
			take(&x.trials.order, s.trials.order, "trials.order", "--order"),
			take(&x.trials.seed, s.trials.seed, "trials.seed", "--seed"),
			take(&x.trials.cooldown, s.trials.cooldown, "trials.cooldown", "--cooldown"),
			take(&x.trials.restart, s.trials.restart, "trials.restart", "--set trials.restart=never"),
			take(&x.decision.margin, s.decision.margin, "decision.margin", "--margin"),
			take(&x.decision.alpha, s.decision.alpha, "decision.alpha", "--alpha"),
			take(&x.decision.test, s.decision.test, "decision.test", "--test"),
			take(&x.decision.metric, s.decision.metric, "decision.metric", "--metric"),
			take(&x.decision.family, s.decision.family, "decision.family", "--family"),
		)
		if err != nil {
			return x, err
		}
	}
	return x, nil
}

func take[T comparable](dst *setting[T], src setting[T], key, flag string) error {
	switch {
	case !src.at.stated():
	case !dst.at.stated():
		*dst = src
	case dst.value != src.value:
		return src.at.errorf("make them equal, or give "+flag, "%s is %v here but %v at %s", key, src.value, dst.value, strings.TrimSpace(dst.at.String()))
	}
	return nil
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
