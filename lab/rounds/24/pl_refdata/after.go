// refdata fetches reference contigs from a store service and writes GC and k-mer figures.
// The client has the structure of retrying HTTP clients such as hashicorp/go-retryablehttp (attempts, check, wait, again).
// usage: refdata -list contigs.txt -out refdata.tsv
package main

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

type contig struct {
	name   string
	length int
	seed   uint32
}

// ---- store: a contig is brought into memory by its first request, which is answered 503 until it is there
type store struct {
	mu      sync.Mutex
	contigs map[string]contig
	loaded  map[string][]byte
	loading map[string]bool
}

func (s *store) load(c contig) {
	seq := make([]byte, c.length)
	x := c.seed
	for i := range seq {
		x = x*1664525 + 1013904223
		seq[i] = "ACGT"[x>>30]
	}
	s.mu.Lock()
	s.loaded[c.name] = seq
	s.mu.Unlock()
}

func (s *store) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/contig/")
	s.mu.Lock()
	defer s.mu.Unlock()
	c, ok := s.contigs[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	if seq, ok := s.loaded[name]; ok {
		w.Write(seq)
		return
	}
	if !s.loading[name] {
		s.loading[name] = true
		go s.load(c)
	}
	http.Error(w, "loading", http.StatusServiceUnavailable)
}

// ---- client
type client struct {
	http     *http.Client
	attempts int
	wait     time.Duration
}

func (c *client) fetch(name string) ([]byte, error) {
	pause := c.wait
	for try := 0; try < c.attempts; try++ {
		resp, err := c.http.Get("http://store/contig/" + name)
		if err == nil {
			body, rerr := io.ReadAll(resp.Body)
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK && rerr == nil {
				return body, nil
			}
			if resp.StatusCode == http.StatusNotFound {
				return nil, fmt.Errorf("no contig %s", name)
			}
		}
		time.Sleep(pause)
		pause *= 2
	}
	return nil, fmt.Errorf("%s: gave up after %d attempts", name, c.attempts)
}

func figures(seq []byte) (gc float64, distinct int) {
	const k = 9
	seen := make([]bool, 1<<(2*k))
	code, n := 0, 0
	for i, b := range seq {
		v := bytes.IndexByte([]byte("ACGT"), b)
		if v == 1 || v == 2 {
			n++
		}
		code = (code<<2 | v) & (1<<(2*k) - 1)
		if i >= k-1 && !seen[code] {
			seen[code] = true
			distinct++
		}
	}
	return float64(n) / float64(len(seq)), distinct
}

func readList(path string) ([]contig, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var list []contig
	for sc := bufio.NewScanner(f); sc.Scan(); {
		var c contig
		if strings.HasPrefix(sc.Text(), "#") {
			continue
		}
		if _, err := fmt.Sscan(sc.Text(), &c.name, &c.length, &c.seed); err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

func main() {
	listPath := flag.String("list", "contigs.txt", "contigs")
	outPath := flag.String("out", "refdata.tsv", "table")
	flag.Parse()
	list, err := readList(*listPath)
	if err != nil {
		log.Fatal(err)
	}
	st := &store{contigs: map[string]contig{}, loaded: map[string][]byte{}, loading: map[string]bool{}}
	for _, c := range list {
		st.contigs[c.name] = c
	}
	os.Remove("store.sock")
	ln, err := net.Listen("unix", "store.sock")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, st)
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", "store.sock")
	}
	cl := &client{http: &http.Client{Transport: &http.Transport{DialContext: dial}}, attempts: 14, wait: 1 * time.Millisecond}
	out, err := os.Create(*outPath)
	if err != nil {
		log.Fatal(err)
	}
	w := bufio.NewWriter(out)
	total := 0
	for _, c := range list {
		seq, err := cl.fetch(c.name)
		if err != nil {
			log.Fatal(err)
		}
		gc, distinct := figures(seq)
		fmt.Fprintf(w, "%s\t%d\t%.5f\t%d\n", c.name, len(seq), gc, distinct)
		total += len(seq)
	}
	if err := w.Flush(); err != nil {
		log.Fatal(err)
	}
	out.Close()
	ln.Close()
	fmt.Printf("%d contigs, %d bases\n", len(list), total)
}
