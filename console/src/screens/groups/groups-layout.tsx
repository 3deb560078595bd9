import { Outlet } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { BrowsingContext } from './browsing.ts'

/** What is unfolded stays so from one group to the next. */
export function GroupsLayout() {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const [withInactive, setWithInactive] = useState(false)
  return (
    <BrowsingContext value={{ open, setOpen, withInactive, setWithInactive }}>
      <Suspense>
        <Outlet />
      </Suspense>
    </BrowsingContext>
  )
}
