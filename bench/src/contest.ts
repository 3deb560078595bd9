// Ways of doing the same, measured in turns within one run.

export interface Contestant {
  name: string
  /** One round; answers how much was done a second. */
  round(): Promise<number>
}

/** So long a service takes to be as fast as it is for the rest of its days. */
const WARM_UP = 3

const median = (numbers: number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] as number
const print = (numbers: number[], digits: number) =>
  `${median(numbers).toFixed(digits)} (${Math.min(...numbers).toFixed(digits)} to ${Math.max(...numbers).toFixed(digits)})`

/** The first contestant is measured against each of the others. Rounds alternate, so that all meet the same machine. */
export async function contest(
  title: string,
  unit: string,
  [ours, ...others]: [Contestant, ...Contestant[]],
  rounds = 5,
): Promise<void> {
  const measured = [ours, ...others].map((contestant) => ({ contestant, figures: [] as number[] }))
  for (let round = 0; round < WARM_UP; round++) for (const { contestant } of measured) await contestant.round()
  for (let round = 0; round < rounds; round++)
    for (const { contestant, figures } of measured) figures.push(await contestant.round())
  const [first, ...rest] = measured as [(typeof measured)[number], ...typeof measured]
  console.log(`\n${title}: ${unit}, median of ${rounds} rounds (lowest to highest)`)
  console.log(`| way | ${unit} | ratio |\n|---|---|---|`)
  console.log(`| ${first.contestant.name} | ${print(first.figures, 0)} | |`)
  for (const { contestant, figures } of rest) {
    const ratios = first.figures.map((one, index) => one / (figures[index] as number))
    console.log(`| ${contestant.name} | ${print(figures, 0)} | ${print(ratios, 2)} |`)
  }
}
