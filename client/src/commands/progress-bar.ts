// How far it is: a bar that moves on a terminal, and a line for each tenth anywhere else.

interface Output {
  isTTY?: boolean
  write(text: string): unknown
}

const BAR = 30

/** `show` is called whenever more may be done, and `end` before anything else is written. */
export function progressBar(output: Output, now: () => number = () => performance.now()) {
  const start = now()
  let tenths = 0
  const show = (done: number, total: number): void => {
    const part = total > 0 ? done / total : 1
    const rate = done / Math.max((now() - start) / 1000, 0.001)
    const left = done > 0 && done < total ? `, ${duration((total - done) / rate)} left` : ''
    const figures = `${done.toLocaleString('en-US')} of ${total.toLocaleString('en-US')} lines${left}`
    if (output.isTTY) {
      const filled = Math.floor(BAR * part)
      output.write(`\r\x1b[K${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} ${figures}`)
    } else if (Math.floor(10 * part) > tenths) {
      tenths = Math.floor(10 * part)
      output.write(`${figures}\n`)
    }
  }
  return { show, end: () => void (output.isTTY && output.write('\n')) }
}

function duration(seconds: number): string {
  const whole = Math.round(seconds)
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}
