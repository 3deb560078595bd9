import { Link, Outlet } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useMessages } from '../../language/language.ts'
import classes from './administration.module.css'
import { administration } from './messages.ts'

const PLACES = [
  ['/administration/users', 'users'],
  ['/administration/organization', 'organization'],
  ['/administration/security', 'security'],
  ['/administration/service-accounts', 'serviceAccounts'],
  ['/administration/webhooks', 'webhooks'],
  ['/administration/classifications', 'classifications'],
  ['/administration/outbox', 'outbox'],
  ['/administration/audit', 'audit'],
] as const

export function AdministrationLayout() {
  const t = useMessages(administration)
  return (
    <>
      <nav aria-label={t.title} className={classes.places}>
        {PLACES.map(([path, name]) => (
          <Link key={path} to={path} className={classes.place} activeOptions={{ includeSearch: false }}>
            {t.places[name]}
          </Link>
        ))}
      </nav>
      <Suspense>
        <Outlet />
      </Suspense>
    </>
  )
}
