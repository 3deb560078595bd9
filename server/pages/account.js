// The pages behind the links that are sent: setting a first password, or a new one.

const texts = {
  en: {
    register: 'Welcome',
    reset: 'Set a new password',
    greeting: (name) => `Hello ${name}. Choose a password to finish your registration.`,
    resetHint: 'Choose the password you want to sign in with from now on.',
    username: 'Username',
    password: 'New password',
    broken: 'This link does not work',
    hint: 'At least 12 characters. A few words that do not belong together are easy to remember and hard to guess.',
    show: 'Show password',
    submit: 'Save password',
    done: 'Your password is saved. You can sign in now.',
    noToken: 'This link is not complete. Open it again from the message you were sent.',
    failed: 'The service cannot be reached. Check your connection and try again.',
  },
  es: {
    register: 'Le damos la bienvenida',
    reset: 'Elija una contraseña nueva',
    greeting: (name) => `Hola, ${name}. Elija una contraseña para terminar su registro.`,
    resetHint: 'Elija la contraseña con la que quiere entrar a partir de ahora.',
    username: 'Nombre de usuario',
    password: 'Contraseña nueva',
    broken: 'Este enlace no funciona',
    hint: 'Al menos 12 caracteres. Unas pocas palabras que no van juntas son fáciles de recordar y difíciles de adivinar.',
    show: 'Mostrar contraseña',
    submit: 'Guardar contraseña',
    done: 'Su contraseña está guardada. Ya puede entrar.',
    noToken: 'Este enlace no está completo. Ábralo de nuevo desde el mensaje que recibió.',
    failed: 'No se puede conectar con el servicio. Revise su conexión e inténtelo de nuevo.',
  },
}

const isRegistration = location.pathname.startsWith('/register')
const token = new URLSearchParams(location.search).get('token')
const find = (id) => document.getElementById(id)

function speak(language) {
  const words = texts[language] ?? texts.en
  document.documentElement.lang = language in texts ? language : 'en'
  for (const element of document.querySelectorAll('[data-text]')) element.textContent = words[element.dataset.text]
  find('title').textContent = isRegistration ? words.register : words.reset
  document.title = `${find('title').textContent} – Almoner`
  return words
}

async function send(operation, body) {
  const response = await fetch(`/identity/v1/${operation}/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = await response.json()
  if (!response.ok)
    throw Object.assign(new Error(answer.errors.map(({ detail }) => detail).join(' ')), { isAnswer: true })
  return answer
}

let words = speak(navigator.language.slice(0, 2))
const reason = (error) => (error.isAnswer ? error.message : words.failed)

async function open() {
  if (!token) throw Object.assign(new Error(words.noToken), { isAnswer: true })
  if (isRegistration) {
    const invited = await send('confirm-invitation', { token })
    words = speak(invited.locale.slice(0, 2))
    find('message').textContent = words.greeting(invited['first-name'])
    find('username').value = invited.username
  } else {
    find('message').textContent = words.resetHint
    find('username').hidden = true
    document.querySelector('label[for=username]').hidden = true
  }
  find('form').hidden = false
  find('password').focus()
}

find('show').addEventListener('change', ({ target }) => {
  find('password').type = target.checked ? 'text' : 'password'
})

find('form').addEventListener('submit', async (event) => {
  event.preventDefault()
  const button = event.target.querySelector('button')
  button.disabled = true
  find('fault').textContent = ''
  try {
    await send(isRegistration ? 'register' : 'reset-password', { token, password: find('password').value })
    find('form').hidden = true
    find('message').textContent = words.done
  } catch (error) {
    find('fault').textContent = reason(error)
    find('password').focus()
  } finally {
    button.disabled = false
  }
})

open().catch((error) => {
  find('title').textContent = words.broken
  find('message').textContent = reason(error)
})
