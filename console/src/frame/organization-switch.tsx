import { Button, Menu, Text } from '@mantine/core'
import { CheckIcon, ChevronDownIcon } from '@primer/octicons-react'
import { useNavigate } from '@tanstack/react-router'
import { useMessages } from '../language/language.ts'
import { frame } from './messages.ts'
import { chooseOrganization, usePerson } from './person.ts'

/** Says where one is working; a choice only for those who belong to several. */
export function OrganizationSwitch() {
  const t = useMessages(frame)
  const navigate = useNavigate()
  const { organizations, organization } = usePerson()
  if (!organization) return null
  if (organizations.length === 1)
    return (
      <Text size="sm" c="dimmed" truncate visibleFrom="sm">
        {organization.name}
      </Text>
    )
  const choose = async (id: string) => {
    chooseOrganization(id)
    await navigate({ to: '/' })
  }
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          maw={220}
          rightSection={<ChevronDownIcon size={14} />}
          aria-label={`${t.organization}: ${organization.name}`}
        >
          <Text size="xs" truncate inherit>
            {organization.name}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t.organization}</Menu.Label>
        {organizations.map(({ id, name }) => (
          <Menu.Item
            key={id}
            onClick={() => choose(id)}
            rightSection={id === organization.id ? <CheckIcon size={14} /> : null}
            aria-current={id === organization.id}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
