//go:build linux

package main

import (
	"math"
	"strings"
	"testing"
)

func TestRatio(t *testing.T) {
	x, y := []float64{1, 2, 3, 4, 5}, []float64{2, 4, 6, 8, 10}
	if v, low, high := ratio(x, y); v != .5 || low > .5 || high < .5 || low < .1 || high > 2.5 {
		t.Errorf("%v [%v, %v]", v, low, high)
	}
	flat := []float64{3, 3, 3}
	if v, low, high := ratio(flat, flat); v != 1 || low != 1 || high != 1 {
		t.Errorf("%v [%v, %v], want 1", v, low, high)
	}
}

func TestCount(t *testing.T) {
	for _, c := range []struct {
		client client
		out    string
		want   int64
	}{
		{wrk, "Running 4s test @ http://x/\n  1 threads and 50 connections\n  140964 requests in 4.10s, 80MB read\n", 140964},
		{ab, "Concurrency Level:      50\nComplete requests:      1234\nFailed requests:        0\n", 1234},
		{hey, "Status code distribution:\n  [200]\t9876 responses\n", 9876},
		{h2load, "requests: 55 total, 60 started, 55 done, 55 succeeded, 0 failed, 0 errored, 0 timeout\n", 55},
		{native, "77 requests\n", 77},
	} {
		if n, err := count(c.client.requests, c.out); n != c.want || err != nil {
			t.Errorf("%s: %d, %v, want %d", c.client.name, n, err, c.want)
		}
	}
	for _, out := range []string{"", "0 requests\n"} {
		if n, err := count(plainCount, out); err == nil {
			t.Errorf("%q: %d", out, n)
		}
	}
}

func TestDocument(t *testing.T) {
	s := series{scenario: scenarios[3], runs: [][]cost{{{10, 1, 3, 2, 9}}, {{20, 2, 6, 2, 50}}}}
	page := document([]series{s}, 1, 2, "a machine")
	for _, want := range []string{"| native | 1 | 4.00 [4.00, 4.00] | 1.00 | 5 | 9.0 |  |", "| wrk | 1 | 8.00 [8.00, 8.00] | 2.00 | 10 | 50.0 | 0.500 [0.500, 0.500] |", "a machine"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	if strings.Contains(page, "NaN") || math.IsNaN(s.runs[0][0].total()) {
		t.Error(page)
	}
}
