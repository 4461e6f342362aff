package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// row is what a scenario came to. Times are in milliseconds.
type row struct {
	Name string `json:"name"`
	// Ratio is the median over the rounds, Min and Max are the least and the most.
	Ratio float64 `json:"ratio"`
	Min   float64 `json:"min"`
	Max   float64 `json:"max"`
	// Target is what the ratio is to be at the most, or, of throughputs, at least.
	Target   float64 `json:"target"`
	AtLeast  bool    `json:"at_least"`
	Met      bool    `json:"met"`
	Baseline figures `json:"baseline"`
	Ours     figures `json:"ours"`
}

// figures describe one side.
type figures struct {
	P50    float64 `json:"p50_ms"`
	P99    float64 `json:"p99_ms"`
	PerSec float64 `json:"per_second,omitempty"` // items
	Calls  int     `json:"calls"`
}

func newRow(s scenario, sides *sides, m [2]measured) *row {
	r := &row{Name: s.name, Target: s.target.ratio, AtLeast: s.target.atLeast}
	var ratios []float64
	for i := range m[0].rounds {
		base, ours := m[0].rounds[i].Seconds(), m[1].rounds[i].Seconds()
		if sides.items > 0 {
			base, ours = ours, base // throughputs are the other way round
		}
		if s.grows { // the machine may have been slower at one of the times
			base, ours = base/m[0].controls[i].Seconds(), ours/m[1].controls[i].Seconds()
		}
		ratios = append(ratios, ours/base)
	}
	slices.Sort(ratios)
	r.Min, r.Ratio, r.Max = ratios[0], ratios[len(ratios)/2], ratios[len(ratios)-1]
	for i, f := range []*figures{&r.Baseline, &r.Ours} {
		f.P50, f.P99, f.Calls = ms(percentile(m[i].operations, 50)), ms(percentile(m[i].operations, 99)), len(m[i].operations)
		if sides.items > 0 {
			f.PerSec = float64(sides.items) / median(m[i].rounds).Seconds()
		}
	}
	r.Met = r.Ratio <= r.Target
	if r.AtLeast {
		r.Met = r.Ratio >= r.Target
	}
	if s.target.p99 > 0 && r.Ours.P99 > s.target.p99*r.Baseline.P99 {
		r.Met = false
	}
	return r
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func median(list []time.Duration) time.Duration { return percentile(list, 50) }

// percentile gives the value that p percent of a list don't exceed.
func percentile(list []time.Duration, p int) time.Duration {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[min(len(sorted)-1, len(sorted)*p/100)]
}

// writeTable writes rows in Markdown.
func writeTable(w io.Writer, machine string, rows []*row) {
	fmt.Fprintf(w, "%s\n\n", machine)
	fmt.Fprintln(w, "| scenario | baseline | ours | ratio | min – max | target | p99 baseline | p99 ours |")
	fmt.Fprintln(w, "|---|---:|---:|---:|---:|---:|---:|---:|")
	for _, r := range rows {
		value := func(f figures) string {
			if f.PerSec > 0 {
				return fmt.Sprintf("%.0f/s", f.PerSec)
			}
			return fmt.Sprintf("%.2f ms", f.P50)
		}
		target, met := fmt.Sprintf("≤ %.2g", r.Target), ""
		if r.AtLeast {
			target = fmt.Sprintf("≥ %.2g", r.Target)
		}
		if !r.Met {
			met = " ✗"
		}
		fmt.Fprintln(w, "| "+strings.Join([]string{
			r.Name, value(r.Baseline), value(r.Ours), fmt.Sprintf("%.2f%s", r.Ratio, met), fmt.Sprintf("%.2f – %.2f", r.Min, r.Max), target,
			fmt.Sprintf("%.2f ms", r.Baseline.P99), fmt.Sprintf("%.2f ms", r.Ours.P99),
		}, " | ")+" |")
	}
}
