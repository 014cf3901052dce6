/**
 * Submits the form of the simulated HubSpot's consent page (the preselected portal unless one is named, the first
 * button), and returns the address to which HubSpot redirects the browser.
 */
export async function consent(authUrl: string, hubId?: number): Promise<string> {
  const page = await (await fetch(authUrl)).text()
  const form = new URLSearchParams()
  for (const [input] of page.matchAll(/<input[^>]*>/g)) {
    const isChosen = attribute(input, 'type') !== 'radio' || /\bchecked\b/.test(input)
    const name = attribute(input, 'name')
    if (name && isChosen) form.set(name, attribute(input, 'value') ?? '')
  }
  if (hubId !== undefined) form.set('hub_id', String(hubId))
  const [button = ''] = /<button[^>]*>/.exec(page) ?? []
  const pressed = attribute(button, 'name')
  if (pressed) form.set(pressed, attribute(button, 'value') ?? '')
  const [opening = ''] = /<form[^>]*>/.exec(page) ?? []
  const action = attribute(opening, 'action') ?? authUrl
  const answer = await fetch(new URL(action, authUrl), { method: 'POST', body: form, redirect: 'manual' })
  const back = answer.headers.get('location')
  if (!back) throw new Error(`the simulated HubSpot did not consent (${answer.status})`)
  return back
}

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1]
  return value?.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"')
}
