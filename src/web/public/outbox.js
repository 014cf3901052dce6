// Keeps the outbox page up to date. Only mail that is not there yet is added, so that what one reads or has opened stays.
;(() => {
  const everyMilliseconds = 3_000
  const mails = document.getElementById('mails')
  const back = document.getElementById('back')

  const look = async () => {
    if (document.hidden) return
    const answer = await fetch(location.href)
    const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const articles = [...fresh.querySelectorAll('[data-mail]')]
    for (const article of articles.reverse()) {
      const shown = mails.querySelector(`[data-mail="${article.dataset.mail}"]`)
      if (shown === null) mails.prepend(document.adoptNode(article))
      else shown.querySelector('time').replaceWith(document.adoptNode(article.querySelector('time')))
    }
  }
  // A server that is away for a while is asked again.
  setInterval(() => void look().catch(() => undefined), everyMilliseconds)

  // The page is a tab of its own, or came over the page that one was on.
  back.addEventListener('click', (event) => {
    event.preventDefault()
    if (history.length > 1) return history.back()
    window.close()
    location.assign(back.href)
  })
})()
