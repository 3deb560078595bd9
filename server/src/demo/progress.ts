// How far it is: a bar that moves on a terminal, and a line for each tenth anywhere else.

interface Output {
  isTTY?: boolean
  write(text: string): unknown
}

const BAR = 30
/** The pace is that of late: who is there already is passed over quickly, and who is not takes time. */
const PACE_OF = 5

/** To be called whenever something more is done. */
export function progressOn(output: Output, now: () => number = () => performance.now(), what = 'people') {
  const marks = [{ done: 0, at: now() }]
  let told = 0
  return (done: number, total: number): void => {
    const [first = { done: 0, at: 0 }] = marks
    const mark = { done, at: now() }
    if (marks.push(mark) > PACE_OF) marks.shift()
    const rate = (1000 * (done - first.done)) / Math.max(mark.at - first.at, 1)
    const percent = Math.floor((100 * done) / total)
    const figures = `${percent}%, ${number(rate)} ${what} a second, ${duration((total - done) / rate)} left`
    if (output.isTTY) {
      const filled = Math.floor((BAR * done) / total)
      output.write(`\r\x1b[K${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} ${figures}${done === total ? '\n' : ''}`)
    } else if (Math.floor(percent / 10) > told) {
      told = Math.floor(percent / 10)
      output.write(`${number(done)} of ${number(total)}: ${figures}\n`)
    }
  }
}

const number = (value: number) => Math.round(value).toLocaleString('en-US')

export function duration(seconds: number): string {
  if (seconds < 59.5) return `${Math.round(seconds)} s`
  return `${Math.floor(Math.round(seconds) / 60)} min ${Math.round(seconds) % 60} s`
}
