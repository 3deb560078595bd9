import { Avatar, Menu, Text, UnstyledButton, useMantineColorScheme, VisuallyHidden } from '@mantine/core'
import { CheckIcon, DeviceDesktopIcon, MoonIcon, PersonIcon, SignOutIcon, SunIcon } from '@primer/octicons-react'
import { Link } from '@tanstack/react-router'
import { useMessages } from '../language/language.ts'
import { signOut } from '../session/session.ts'
import { frame } from './messages.ts'
import { usePerson } from './person.ts'

export function PersonMenu() {
  const t = useMessages(frame)
  const { profile } = usePerson()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const name = `${profile.firstName} ${profile.lastName}`
  const schemes = [
    ['auto', DeviceDesktopIcon, t.automatic],
    ['light', SunIcon, t.light],
    ['dark', MoonIcon, t.dark],
  ] as const
  return (
    <Menu width={220}>
      <Menu.Target>
        <UnstyledButton bdrs="xl">
          <VisuallyHidden>{t.you(name)}</VisuallyHidden>
          <Avatar size={34} color="cyan" variant="filled" name={name} alt="" aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Text size="sm" fw={600} px="sm" pt={6} truncate>
          {name}
        </Text>
        <Text size="xs" c="dimmed" px="sm" pb={6} truncate>
          {profile.username}
        </Text>
        <Menu.Divider />
        <Menu.Item component={Link} to="/account" leftSection={<PersonIcon />}>
          {t.account}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t.appearance}</Menu.Label>
        {schemes.map(([scheme, Icon, label]) => (
          <Menu.Item
            key={scheme}
            leftSection={<Icon />}
            rightSection={scheme === colorScheme ? <CheckIcon /> : null}
            aria-current={scheme === colorScheme}
            closeMenuOnClick={false}
            onClick={() => setColorScheme(scheme)}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<SignOutIcon />} onClick={signOut}>
          {t.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
