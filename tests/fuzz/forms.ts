/** What a form sends under a name: one of these, or nothing for null. */
export interface FormField {
  readonly name: string;
  readonly choices: readonly (string | null)[];
}

export interface Form {
  readonly action: string;
  readonly fields: readonly FormField[];
}

const unescaped = (html: string): string =>
  html.replaceAll('&quot;', '"').replaceAll('&#x27;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&');

const attribute = (tag: string, name: string): string | null => {
  const [, value] = new RegExp(` ${name}="([^"]*)"`).exec(tag) ?? [];
  return value === undefined ? null : unescaped(value);
};

/** What a person would type into an empty field. */
const typed: Readonly<Record<string, string>> = {
  date: '2027-01-01',
  email: 'buyer@example.com',
  number: '2',
};

const choicesOf = (tag: string, inside: string): FormField['choices'] => {
  const value = attribute(tag, 'value');
  const type = attribute(tag, 'type') ?? '';
  if (tag.startsWith('select'))
    return [...inside.matchAll(/<option\b([^>]*)>/g)].map(([, option = '']) => attribute(option, 'value'));
  if (tag.startsWith('button') || type === 'checkbox') return [value ?? 'on', null];
  return type === 'radio' ? [value] : [value || (typed[type] ?? 'text')];
};

const control = /<((?:input|select|textarea|button)\b[^>]*)>(?:((?:<option\b[^>]*>[^<]*<\/option>)+))?/g;

const fieldsIn = (html: string): FormField[] => {
  const choices = new Map<string, FormField['choices']>();
  for (const [, tag = '', inside = ''] of html.matchAll(control)) {
    const name = attribute(tag, 'name');
    // Several of one name are alternatives, such as radio buttons.
    if (name !== null) choices.set(name, [...(choices.get(name) ?? []), ...choicesOf(tag, inside)]);
  }
  return [...choices].map(([name, all]) => ({ name, choices: all }));
};

/** The forms of a page that are sent as POST. @param address of the page */
export const formsIn = (html: string, address: string): Form[] =>
  [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].flatMap(([, head = '', inside = '']) =>
    attribute(head, 'method')?.toLowerCase() === 'post'
      ? [{ action: attribute(head, 'action') ?? address, fields: fieldsIn(inside) }]
      : [],
  );

/** Where a page leads, below a root. */
export const linksIn = (html: string, root: string): string[] =>
  [...html.matchAll(/ href="([^"]*)"/g)].flatMap(([, link = '']) =>
    link.startsWith(root) ? [unescaped(link)] : [],
  );
