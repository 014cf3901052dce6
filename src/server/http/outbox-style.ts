/** The colors are those of the app. `first-paint.js` sets the attribute to the theme that the browser keeps. */
export const outboxStyle = `
:root{color-scheme:light;--ground:#f8f9fa;--card:#fff;--line:#dee2e6;--text:#000;--dimmed:#495057;--link:#0b7285;--strip:#fff4db;--strip-text:#7a4a00}
:root[data-mantine-color-scheme=dark]{color-scheme:dark;--ground:#1a1b1e;--card:#25262b;--line:#424242;--text:#c9c9c9;--dimmed:#b8b8b8;--link:#66d9e8;--strip:#3a2f16;--strip-text:#ffe066}
body{font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;margin:0;background:var(--ground);color:var(--text)}
.strip{margin:0;padding:3px 16px;font-size:13px;background:var(--strip);color:var(--strip-text)}
header{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center;justify-content:space-between;padding:12px 16px;background:var(--card);border-bottom:1px solid var(--line)}
a{color:var(--link)}.brand{display:flex;gap:10px;align-items:center;font-size:18px;font-weight:700;color:var(--text);text-decoration:none}
.back{padding:10px 0}
main{max-width:44rem;margin:24px auto;padding:0 16px}h1{font-size:26px;line-height:1.35;margin:0}
article{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:16px;margin:16px 0}
h2{font-size:18px;line-height:1.4;margin:0;overflow-wrap:anywhere}p{margin:8px 0}
.dimmed{font-size:14px;color:var(--dimmed);margin:0;overflow-wrap:anywhere}.text{white-space:pre-wrap;overflow-wrap:anywhere}
.new{font-weight:600;color:var(--link)}
.button{display:inline-block;padding:10px 18px;border-radius:8px;background:#0b7285;color:#fff;font-weight:600;font-size:14px;text-decoration:none}
.button:hover{background:#0a5a66}:focus-visible{outline:2px solid var(--link);outline-offset:2px}
summary{width:fit-content;font-size:13px;color:var(--dimmed);cursor:pointer;padding:4px 0}
code{font-size:12px;overflow-wrap:anywhere}#mails:not(:empty)+.none{display:none}`
