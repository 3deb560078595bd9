// What Prometheus is told.

import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export class Measures {
  readonly #registry = new Registry()
  readonly #durations = new Histogram({
    name: 'almoner_request_seconds',
    help: 'How long requests took, by operation and status.',
    labelNames: ['operation', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [this.#registry],
  })

  constructor() {
    collectDefaultMetrics({ register: this.#registry })
    // Forked processes share the port: each scrape is answered by one of them, and this says by which.
    new Gauge({
      name: 'almoner_process',
      help: 'The process that answers.',
      labelNames: ['pid'],
      registers: [this.#registry],
    }).set({ pid: process.pid }, 1)
  }

  readonly contentType = this.#registry.contentType

  answered(operation: string, status: number, seconds: number): void {
    this.#durations.observe({ operation, status: String(status) }, seconds)
  }

  /** The streams of this process, whenever it is asked. */
  watchStreams(count: () => number): void {
    new Gauge({
      name: 'almoner_open_streams',
      help: 'Streams that are being followed.',
      registers: [this.#registry],
      collect() {
        this.set(count())
      },
    })
  }

  print(): Promise<string> {
    return this.#registry.metrics()
  }
}
