// @ts-check
/** An element with attributes and children; texts become text nodes, never markup. */
export const element = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, '');
    else if (value !== undefined && value !== null && value !== false) made.setAttribute(key, value);
  }
  made.append(...children.flat().filter((child) => child || child === 0));
  return made;
};

const rules = [
  [/```(?:\w+\n)?([\s\S]+?)```/, ([, code]) => element('pre', {}, code)],
  [/`([^`\n]+)`/, ([, code]) => element('code', {}, code)],
  [/\\([^0-9A-Za-z\s])/, ([, letter]) => letter],
  [/\*\*([\s\S]+?)\*\*/, ([, inner], names) => element('strong', {}, markup(inner, names))],
  [/__([\s\S]+?)__/, ([, inner], names) => element('u', {}, markup(inner, names))],
  [/\*([^*\n]+)\*/, ([, inner], names) => element('em', {}, markup(inner, names))],
  [/~~([\s\S]+?)~~/, ([, inner], names) => element('s', {}, markup(inner, names))],
  [/\|\|([\s\S]+?)\|\|/, ([, inner], names) => element('mark', {}, markup(inner, names))],
  [/<@!?(\d+)>/, ([, id], names) => element('span', { class: 'mention' }, `@${names.member(id)}`)],
  [/<@&(\d+)>/, ([, id], names) => element('span', { class: 'mention' }, `@${names.role(id)}`)],
  [/<#(\d+)>/, ([, id], names) => element('span', { class: 'mention' }, `#${names.channel(id)}`)],
  [/@(everyone|here)\b/, ([all]) => element('span', { class: 'mention' }, all)],
  [/<t:(\d+)(?::([tTdDfFR]))?>/, ([, seconds, style]) => moment(Number(seconds) * 1000, style)],
  [/\[([^\]\n]+)\]\((https?:\/\/[^)\s]+)\)/, ([, text, url]) => link(url, text)],
  [/https?:\/\/[^\s<>]+/, ([url]) => link(url, url)],
];

const link = (href, text) => element('a', { href, rel: 'noreferrer', target: '_blank' }, text);

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

const moment = (at, style) => {
  const date = new Date(at);
  const seconds = Math.round((at - Date.now()) / 1000);
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  const text =
    style === 'R'
      ? new Intl.RelativeTimeFormat('en').format(Math.round(seconds / size), unit)
      : date.toLocaleString();
  return element('time', { datetime: date.toISOString(), title: date.toLocaleString() }, text);
};

/** The part of Discord's Markdown that bots use. */
export const markup = (text, names) => {
  let first = null;
  for (const [pattern, make] of rules) {
    const match = pattern.exec(text);
    if (match && (first === null || match.index < first.match.index)) first = { match, make };
  }
  if (first === null) return [text];
  const { match, make } = first;
  const rest = text.slice(match.index + match[0].length);
  return [text.slice(0, match.index), make(match, names), ...markup(rest, names)];
};
