import { Link } from '@tanstack/react-router'
import { useLanguage } from '../language/language.ts'
import { isOpenTo, navigation } from '../navigation.ts'
import { usePerson } from './person.ts'
import classes from './shell.module.css'

export function Navigation() {
  const language = useLanguage()
  const { roles } = usePerson()
  const open = navigation.filter((one) => isOpenTo(one, roles))
  const main = open.filter(({ place }) => place !== 'more')
  const more = open.filter(({ place }) => place === 'more')
  return (
    <ul className={classes.list}>
      {[...main, ...more].map((one) => (
        <li key={one.path} className={one === more[0] ? classes.more : undefined}>
          <Link
            to={one.path}
            className={classes.link}
            activeOptions={{ exact: one.path === '/', includeSearch: false }}
          >
            <one.icon size={16} />
            {one.title[language]}
          </Link>
        </li>
      ))}
    </ul>
  )
}
