// sentinel checks service latencies: bootstrap bounds of the 99th percentile per service,
// with short settling pauses between the rounds as a probe has that must not hit its targets in one burst.
// usage: sentinel -log latency.log -rounds 4 -resamples 150 -out bounds.tsv
package main

import (
	"bufio"
	"flag"
	"fmt"
	"log"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
)

type bound struct {
	service  string
	round    int
	low, top float64
}

func readLog(path string) (map[string][]float64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	byService := map[string][]float64{}
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		line := sc.Text()
		if strings.HasPrefix(line, "#") {
			continue
		}
		name, value, ok := strings.Cut(line, " ")
		if !ok {
			return nil, fmt.Errorf("bad line %q", line)
		}
		ms, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return nil, err
		}
		byService[name] = append(byService[name], ms)
	}
	return byService, sc.Err()
}

// bootstrap draws samples with replacement and takes the 99th percentile of each
func bootstrap(values []float64, resamples int, seed uint64) (low, top float64) {
	sample := make([]float64, len(values))
	p99 := make([]float64, resamples)
	for r := range p99 {
		for i := range sample {
			seed = seed*6364136223846793005 + 1442695040888963407
			sample[i] = values[(seed>>33)%uint64(len(values))]
		}
		sort.Float64s(sample)
		p99[r] = sample[len(sample)*99/100]
	}
	sort.Float64s(p99)
	return p99[resamples/20], p99[resamples-1-resamples/20]
}

func main() {
	logPath := flag.String("log", "latency.log", "log of latencies")
	rounds := flag.Int("rounds", 4, "rounds")
	resamples := flag.Int("resamples", 150, "resamples per round")
	settle := flag.Duration("settle", 5*time.Millisecond, "pause between rounds")
	outPath := flag.String("out", "bounds.tsv", "table")
	flag.Parse()
	values, err := readLog(*logPath)
	if err != nil {
		log.Fatal(err)
	}
	names := make([]string, 0, len(values))
	for name := range values {
		names = append(names, name)
	}
	sort.Strings(names)
	var table []bound
	for round := 0; round < *rounds; round++ {
		if round > 0 {
			time.Sleep(*settle)
		}
		part := make([]bound, len(names))
		var wg sync.WaitGroup
		for i, name := range names {
			wg.Add(1)
			go func() {
				defer wg.Done()
				low, top := bootstrap(values[name], *resamples, uint64(round*100+i+1))
				part[i] = bound{name, round, low, top}
			}()
		}
		wg.Wait()
		table = append(table, part...)
	}
	out, err := os.Create(*outPath)
	if err != nil {
		log.Fatal(err)
	}
	w := bufio.NewWriter(out)
	fmt.Fprintln(w, "service\tround\tlow\ttop")
	for _, b := range table {
		fmt.Fprintf(w, "%s\t%d\t%.3f\t%.3f\n", b.service, b.round, b.low, b.top)
	}
	if err := w.Flush(); err != nil {
		log.Fatal(err)
	}
	out.Close()
	fmt.Printf("%d services, %d bounds\n", len(names), len(table))
}
