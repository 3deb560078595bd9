// Phone numbers that nobody has, and where they seem to be.

/** Area codes that lie in one time zone. */
const ZONES: Record<string, string> = {
  'America/New_York': `
    201 202 203 207 212 215 216 234 239 240 252 267 301 302 304 305 321 330 336 339 351 352 386 401 404 407 410 412 413
    419 434 440 443 470 478 484 508 513 516 518 540 551 561 567 570 571 585 603 607 609 610 614 617 631 646 678 703 704
    706 716 717 718 724 727 732 757 770 772 781 786 802 803 804 813 828 843 845 860 863 904 908 910 914 917 919 937 954`,
  'America/Detroit': '248 313 517 586 616 734 810',
  'America/Chicago': `
    205 210 214 217 224 225 228 251 254 256 262 281 309 312 314 316 318 319 331 334 337 361 402 405 409 414 417 469 479
    501 504 507 512 515 601 608 612 615 618 630 651 662 682 708 713 715 763 773 806 815 816 817 832 847 901 903 913 918
    920 936 940 952 956 972`,
  'America/Denver': '303 307 385 406 435 505 719 720 801 970',
  'America/Phoenix': '480 520 602 623',
  'America/Los_Angeles': `
    206 209 213 253 310 323 360 408 415 424 425 503 509 510 530 559 562 619 626 650 661 702 707 714 805 818 831 858 909
    916 925 949 951`,
  'America/Anchorage': '907',
  'Pacific/Honolulu': '808',
}

const AREAS = Object.entries(ZONES).flatMap(([tz, codes]) =>
  codes
    .trim()
    .split(/\s+/)
    .map((code) => ({ code, tz })),
)
// 555-0100 to 555-0199 are kept for fiction, so they go first. The rest of the exchange is as good as unused, but for
// directory assistance at 555-1212 and what was once 555-4334.
const HUNDREDS = Array.from({ length: 99 }, (_, number) => number + 1).filter(
  (number) => number !== 12 && number !== 43,
)
const ROUND = AREAS.length * 100
// A prime: steps of it meet every number of a round once.
const STEP = 7919

export interface Phone {
  /** Null for the few beyond the end of the exchange. */
  number: string | null
  tz: string
}

/** The number of the person with this index: nobody else of the same population has it. */
export function phoneOf(seed: number, index: number): Phone {
  const place = ((index % ROUND) * STEP + (seed % ROUND)) % ROUND
  const hundred = HUNDREDS[Math.floor(index / ROUND)]
  const { code, tz } = AREAS[Math.floor(place / 100)] as (typeof AREAS)[number]
  const line = hundred === undefined ? null : String(hundred * 100 + (place % 100)).padStart(4, '0')
  return { number: line && `+1${code}555${line}`, tz }
}
