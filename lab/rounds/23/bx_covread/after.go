// bx_covread - mean depth and breadth in 10 kb windows of a bedgraph.
package main

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"os"
	"sort"
)

type Interval struct {
	Chrom    string
	Beg, End int
	Depth    float64
}

type key struct {
	chrom string
	win   int
}

type acc struct {
	sum     float64
	covered int
	bases   int
}

const window = 10000

func readInterval(r io.Reader, iv *Interval) error {
	n, err := fmt.Fscanln(r, &iv.Chrom, &iv.Beg, &iv.End, &iv.Depth)
	if n == 0 && (err == io.EOF || err == io.ErrUnexpectedEOF) {
		return io.EOF
	}
	if err != nil {
		return err
	}
	if iv.End <= iv.Beg {
		return fmt.Errorf("empty interval %s:%d-%d", iv.Chrom, iv.Beg, iv.End)
	}
	return nil
}

func add(m map[key]*acc, iv Interval) {
	for b := iv.Beg; b < iv.End; {
		w := b / window
		e := min(iv.End, (w+1)*window)
		k := key{iv.Chrom, w}
		a := m[k]
		if a == nil {
			a = &acc{}
			m[k] = a
		}
		a.sum += iv.Depth * float64(e-b)
		a.bases += e - b
		if iv.Depth >= 10 {
			a.covered += e - b
		}
		b = e
	}
}

func load(path string) (map[key]*acc, int, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	m, n := map[key]*acc{}, 0
	r := bufio.NewReaderSize(f, 1<<16)
	var iv Interval
	for {
		err := readInterval(r, &iv)
		if err == io.EOF {
			return m, n, nil
		}
		if err != nil {
			return nil, n, fmt.Errorf("%s: interval %d: %w", path, n+1, err)
		}
		add(m, iv)
		n++
	}
}

func report(path string, m map[key]*acc) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	keys := make([]key, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool {
		if keys[i].chrom != keys[j].chrom {
			return keys[i].chrom < keys[j].chrom
		}
		return keys[i].win < keys[j].win
	})
	w := bufio.NewWriter(f)
	fmt.Fprintln(w, "#chrom\tstart\tmean\tbreadth10")
	for _, k := range keys {
		a := m[k]
		fmt.Fprintf(w, "%s\t%d\t%.3f\t%.4f\n", k.chrom, k.win*window, a.sum/float64(a.bases), float64(a.covered)/float64(a.bases))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}

func main() {
	if len(os.Args) < 3 {
		log.Fatalf("usage: %s depth.bedgraph windows.tsv", os.Args[0])
	}
	m, n, err := load(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	if err := report(os.Args[2], m); err != nil {
		log.Fatal(err)
	}
	fmt.Println(n, "intervals,", len(m), "windows")
}
