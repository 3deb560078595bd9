// Two ways of doing the same, measured in turns within one run.

export interface Contestant {
  name: string
  /** One round; answers how much was done a second. */
  round(): Promise<number>
}

const median = (numbers: number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] as number

/** The first contestant is measured against the second. Rounds alternate, so that both meet the same machine. */
export async function contest(
  title: string,
  unit: string,
  [ours, theirs]: [Contestant, Contestant],
  rounds = 5,
): Promise<void> {
  const ourRounds: number[] = []
  const theirRounds: number[] = []
  await ours.round()
  await theirs.round()
  for (let round = 0; round < rounds; round++) {
    ourRounds.push(await ours.round())
    theirRounds.push(await theirs.round())
  }
  const ratios = ourRounds.map((one, index) => one / (theirRounds[index] as number))
  const print = (numbers: number[], digits: number) =>
    `${median(numbers).toFixed(digits)} (${Math.min(...numbers).toFixed(digits)} to ${Math.max(...numbers).toFixed(digits)})`
  console.log(`\n${title}: ${unit}, median of ${rounds} rounds (lowest to highest)`)
  console.log(`| way | ${unit} |\n|---|---|`)
  console.log(
    `| ${ours.name} | ${print(ourRounds, 0)} |\n| ${theirs.name} | ${print(theirRounds, 0)} |\n| ratio | ${print(ratios, 2)} |`,
  )
}
