import type { Page } from '@almoner/client'
import { Skeleton, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { useFormats } from '../../language/formats.ts'
import { useMessages } from '../../language/language.ts'
import { type Column, type Individual, nameOf, pathOf } from './columns.tsx'
import { patients } from './messages.ts'
import classes from './patients.module.css'
import { type PatientsSearch, sizeOf } from './search.ts'

interface Props {
  columns: Column[]
  page: Page<Individual> | undefined
  isOld: boolean
  search: PatientsSearch
}

/** On a phone: the name, when they were born, and what the list is sorted by. */
export function PatientsList({ columns, page, isOld, search }: Props) {
  const t = useMessages(patients)
  const formats = useFormats()
  const by = search.sort?.replace(/^-/, '')
  const shown = columns.filter(({ name, fields: [first] }) => name === 'birthDate' || name === 'state' || first === by)
  return (
    <ul className={classes.list} aria-busy={!page || isOld}>
      {page
        ? page.items.map((individual) => (
            <li key={individual.id}>
              <Link to={pathOf(individual)} className={classes.item}>
                <Text fw={500}>{nameOf(individual)}</Text>
                <Text size="sm" c="dimmed" component="div">
                  {shown.map(({ name, show }, place) => (
                    <Fragment key={name}>
                      {place > 0 && ' · '}
                      {show(individual, { t, formats })}
                    </Fragment>
                  ))}
                </Text>
              </Link>
            </li>
          ))
        : Array.from({ length: Math.min(sizeOf(search), 10) }, (_, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: places for rows that are not there yet
            <li key={row} className={classes.item}>
              <Skeleton height={14} width="55%" my={5} />
              <Skeleton height={12} width="40%" my={4} />
            </li>
          ))}
    </ul>
  )
}
