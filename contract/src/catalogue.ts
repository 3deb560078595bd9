// Every operation of the interface. A key is the operation's id in camelCase, and the name of its function in the client.

import { createGroup, getGroup, listGroups, updateGroup } from './identity/groups.ts'
import { listOrganizations } from './identity/organizations.ts'
import { login, logout, refresh } from './identity/sessions.ts'

export const catalogue = {
  login,
  refresh,
  logout,
  listOrganizations,
  listGroups,
  createGroup,
  getGroup,
  updateGroup,
}

export type Catalogue = typeof catalogue
