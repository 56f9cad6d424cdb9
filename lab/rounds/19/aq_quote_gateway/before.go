// Quote gateway: asks the pricing server over a unix socket for every item of
// a basket file and keeps the answers in a cache file.  The server collects
// requests and answers them in rounds, as the real one does.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"log"
	"net"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"
)

type Request struct {
	Item string `json:"item"`
	Qty  int    `json:"qty"`
}

type Quote struct {
	Item  string `json:"item"`
	Cents int64  `json:"cents"`
}

const round = 8 * time.Millisecond

func priceOf(r Request) int64 {
	h := fnv.New32a()
	h.Write([]byte(r.Item))
	return int64(h.Sum32()%5000+99) * int64(r.Qty)
}

func serve(c net.Conn) {
	defer c.Close()
	in := make(chan Request, 1024)
	go func() {
		dec := json.NewDecoder(bufio.NewReader(c))
		for {
			var r Request
			if dec.Decode(&r) != nil {
				close(in)
				return
			}
			in <- r
		}
	}()
	w := bufio.NewWriter(c)
	enc := json.NewEncoder(w)
	tick := time.NewTicker(round)
	defer tick.Stop()
	for range tick.C {
		for n := len(in); n > 0; n-- {
			r, ok := <-in
			if !ok {
				return
			}
			enc.Encode(Quote{r.Item, priceOf(r)})
		}
		if w.Flush() != nil {
			return
		}
	}
}

func startServer(path string) net.Listener {
	l, err := net.Listen("unix", path)
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go serve(c)
		}
	}()
	return l
}

func readBasket(path string) (reqs []Request) {
	data, err := os.ReadFile(path)
	if err != nil {
		log.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		var r Request
		fmt.Sscanf(line, "%s %d", &r.Item, &r.Qty)
		reqs = append(reqs, r)
	}
	return
}

func fetchQuotes(c net.Conn, reqs []Request) []Quote {
	enc := json.NewEncoder(c)
	dec := json.NewDecoder(c)
	quotes := make([]Quote, len(reqs))
	for i, r := range reqs {
		if err := enc.Encode(r); err != nil {
			log.Fatal(err)
		}
		if err := dec.Decode(&quotes[i]); err != nil {
			log.Fatal(err)
		}
	}
	return quotes
}

func writeCache(path string, q []Quote) {
	sort.Slice(q, func(a, b int) bool { return q[a].Item < q[b].Item })
	data, _ := json.MarshalIndent(q, "", " ")
	if err := os.WriteFile(path+".tmp", data, 0o644); err != nil {
		log.Fatal(err)
	}
	if err := os.Rename(path+".tmp", path); err != nil {
		log.Fatal(err)
	}
}

func main() {
	dir, err := os.MkdirTemp("", "quote")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	sock := filepath.Join(dir, "price.sock")
	l := startServer(sock)
	defer l.Close()
	c, err := net.Dial("unix", sock)
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	quotes := fetchQuotes(c, readBasket(os.Args[1]))
	writeCache("quotes.json", quotes)
	var sum int64
	for _, q := range quotes {
		sum += q.Cents
	}
	fmt.Printf("%d quotes, total %d cents, first %s\n", len(quotes), sum, quotes[0].Item)
}
