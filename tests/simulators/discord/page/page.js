// @ts-check
import { element, markup } from './markup.js';

const place = (id) => document.getElementById(id);
let seen = null;
const chosen = { channel: '', member: '' };

const names = {
  member: (id) => {
    const member = seen.members.find(({ user }) => user.id === id);
    return member?.nick ?? member?.user.global_name ?? member?.user.username ?? 'unknown-user';
  },
  role: (id) => seen.roles.find((role) => role.id === id)?.name ?? 'deleted-role',
  channel: (id) => seen.channels.find((channel) => channel.id === id)?.name ?? 'unknown',
};

const say = (text) => {
  place('status').textContent = text;
};

const act = async (what) => {
  say('');
  const body = { member: seen.member, channel: seen.channel, locale: place('locale').value, ...what };
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch('/act', { method: 'POST', headers, body: JSON.stringify(body) });
  const result = await response.json();
  if (!response.ok) say(result.message);
  if (result.kind === 'failed') say('The application did not respond.');
  if (result.kind === 'modal') showModal(result);
  return result;
};

const avatar = ({ id, avatar: hash }) =>
  hash
    ? `${seen.cdnUrl}/avatars/${id}/${hash}.png`
    : `${seen.cdnUrl}/embed/avatars/${Number(BigInt(id) % 6n)}.png`;

const buttonStyles = { 1: 'primary', 2: 'secondary', 3: 'success', 4: 'danger' };

/** Rows, buttons, menus, texts and sections. */
const component = (message, one) => {
  const inner = () => (one.components ?? []).map((child) => component(message, child));
  if (one.type === 1) return element('div', { class: 'row' }, inner());
  if (one.type === 2 && one.style === 5)
    return element('a', { href: one.url, rel: 'noreferrer', target: '_blank' }, one.label ?? one.url);
  if (one.type === 2) {
    const onclick = () => act({ kind: 'component', message: message.id, customId: one.custom_id });
    const face = `${one.emoji?.name ?? ''} ${one.label ?? ''}`.trim();
    return element('button', { class: buttonStyles[one.style], disabled: one.disabled, onclick }, face);
  }
  if (one.type === 3) {
    const onchange = ({ target }) =>
      act({ kind: 'component', message: message.id, customId: one.custom_id, values: [target.value] });
    const options = one.options.map(({ label, value, default: selected }) =>
      element('option', { value, selected }, label),
    );
    const prompt = element(
      'option',
      { value: '', disabled: true, selected: true },
      one.placeholder ?? 'Choose',
    );
    const label = one.placeholder ?? 'Choose';
    return element('select', { onchange, disabled: one.disabled, 'aria-label': label }, prompt, options);
  }
  if (one.type === 9) return element('div', {}, inner(), one.accessory && component(message, one.accessory));
  if (one.type === 10) return element('div', { class: 'content' }, markup(one.content, names));
  if (one.type === 14) return element('hr');
  if (one.type === 17) return element('div', { class: 'embed' }, inner());
  return element('div', {}, inner());
};

const picture = (image) => image && element('img', { src: image.url, alt: '' });

const embed = ({
  title,
  url,
  description,
  color,
  author,
  fields = [],
  image,
  thumbnail,
  footer,
  timestamp,
}) => {
  const titled = url ? element('a', { href: url, rel: 'noreferrer', target: '_blank' }, title ?? url) : title;
  const made = element(
    'div',
    { class: 'embed' },
    author && element('div', { class: 'note' }, author.name),
    title && element('div', { class: 'title content' }, url ? titled : markup(title, names)),
    description && element('div', { class: 'content' }, markup(description, names)),
    fields.length > 0 &&
      element(
        'dl',
        { class: 'fields' },
        fields.map(({ name, value, inline }) =>
          element(
            'div',
            { class: inline ? 'inline' : '' },
            element('dt', { class: 'content' }, markup(name, names)),
            element('dd', { class: 'content' }, markup(value, names)),
          ),
        ),
      ),
    picture(thumbnail),
    picture(image),
    (footer || timestamp) &&
      element(
        'div',
        { class: 'note' },
        [footer?.text, timestamp && new Date(timestamp).toLocaleString()].filter(Boolean).join(' · '),
      ),
  );
  if (color) made.style.setProperty('--stripe', `#${color.toString(16).padStart(6, '0')}`);
  return made;
};

const messageLine = (message) => {
  const { author, content, embeds, components, attachments, flags, interaction, timestamp } = message;
  const { reactions = [] } = message;
  const isLoading = (flags & 128) !== 0;
  return element(
    'li',
    { class: message.pinged.users.includes(seen.member) ? 'message own' : 'message' },
    element('img', { src: avatar(author), alt: '' }),
    element(
      'div',
      {},
      interaction &&
        element('div', { class: 'note' }, `${names.member(interaction.user.id)} used /${interaction.name}`),
      element(
        'span',
        { class: 'author' },
        message.webhook_id || author.bot ? author.username : names.member(author.id),
      ),
      author.bot && element('span', { class: 'tag' }, 'APP'),
      element('time', { datetime: timestamp }, ` ${new Date(timestamp).toLocaleTimeString()}`),
      element(
        'div',
        { class: 'content' },
        isLoading ? element('em', {}, 'thinking…') : markup(content, names),
      ),
      attachments.map(({ url, filename }) => element('a', { href: url, class: 'note' }, filename)),
      embeds.map(embed),
      components.map((one) => component(message, one)),
      reactions.map(({ emoji, count }) => element('span', { class: 'note' }, `${emoji.name} ${count}`)),
      message.edited_timestamp && element('span', { class: 'note' }, '(edited) '),
      message.isEphemeral && element('span', { class: 'note' }, 'Only you can see this'),
    ),
  );
};

const show = () => {
  place('guild').textContent = seen.guild.name;
  const current = seen.channels.find(({ id }) => id === seen.channel);
  place('channel').textContent = current ? `# ${current.name}` : '';
  place('topic').textContent = current?.topic ?? '';
  const focused = document.activeElement?.id;
  place('channels').replaceChildren(
    ...seen.channels.map(({ id, name }) => {
      const onclick = () => {
        chosen.channel = id;
        isAtEnd = true;
        void look();
      };
      const isCurrent = id === seen.channel && 'page';
      return element(
        'li',
        {},
        element('button', { id: `channel-${id}`, onclick, 'aria-current': isCurrent }, `# ${name}`),
      );
    }),
  );
  place('member').replaceChildren(
    ...seen.members
      .filter(({ user }) => !user.bot)
      .map(({ user }) =>
        element('option', { value: user.id, selected: user.id === seen.member }, names.member(user.id)),
      ),
  );
  place('messages').replaceChildren(...seen.messages.map(messageLine));
  keepAtEnd();
  if (focused?.startsWith('channel-')) place(focused)?.focus();
};

/** Whoever has not scrolled up sees the newest message whole, also when a command's options take some of its place. */
let isAtEnd = true;
const keepAtEnd = () => {
  const list = place('messages');
  if (isAtEnd) list.scrollTop = list.scrollHeight;
};
place('messages').addEventListener('scroll', ({ currentTarget: list }) => {
  isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 80;
});
new ResizeObserver(keepAtEnd).observe(place('messages'));

const look = async () => {
  const response = await fetch(`/look?${new URLSearchParams(chosen)}`);
  seen = await response.json();
  show();
};

/** Every command that can be sent, subcommands by their path. */
const sendable = ({ name, description, options = [] }) => {
  const inner = options.filter(({ type }) => type <= 2);
  if (inner.length === 0) return [{ name, description, options }];
  return inner.flatMap((one) => sendable(one).map((found) => ({ ...found, name: `${name} ${found.name}` })));
};

const offerCommands = () => {
  const text = place('text').value;
  const list = place('commands');
  list.hidden = !text.startsWith('/');
  if (list.hidden) return;
  const matching = seen.commands.flatMap(sendable).filter(({ name }) => `/${name}`.startsWith(text.trim()));
  list.replaceChildren(
    ...matching.map((command) => {
      const onclick = () => askOptions(command);
      return element(
        'li',
        {},
        element('button', { type: 'button', onclick }, `/${command.name} — ${command.description}`),
      );
    }),
  );
};

const typed = (options, form) => {
  const values = {};
  for (const { name, type } of options) {
    const value = form.elements[name].value;
    if (value !== '')
      values[name] = type === 4 || type === 10 ? Number(value) : type === 5 ? value === 'true' : value;
  }
  return values;
};

const choicesOf = ({ type, choices }) => {
  const people = () => seen.members.map(({ user }) => [user.id, names.member(user.id)]);
  if (choices?.length) return choices.map(({ name, value }) => [value, name]);
  if (type === 5)
    return [
      ['true', 'True'],
      ['false', 'False'],
    ];
  if (type === 6) return people();
  if (type === 7) return seen.channels.map(({ id, name }) => [id, `#${name}`]);
  if (type === 8) return seen.roles.map(({ id, name }) => [id, name]);
  return null;
};

const optionField = (command, option, form) => {
  const { name, required, description, autocomplete } = option;
  const choices = choicesOf(option);
  const label = `${name}${required ? '' : ' (optional)'}`;
  if (choices) {
    const options = [['', ''], ...choices].map(([value, text]) => element('option', { value }, text));
    return element('label', { title: description }, label, element('select', { name, required }, options));
  }
  const offers = element('datalist', { id: `choices-${name}` });
  const oninput = async () => {
    if (!autocomplete) return;
    const options = { ...typed(command.options, form), [name]: form.elements[name].value };
    const { choices: found = [] } = await act({
      kind: 'autocomplete',
      name: command.name,
      options,
      focused: name,
    });
    offers.replaceChildren(...found.map((one) => element('option', { value: one.value }, one.name)));
  };
  const type = option.type === 4 || option.type === 10 ? 'number' : 'text';
  const input = element('input', {
    name,
    type,
    required,
    list: offers.id,
    oninput,
    onfocus: oninput,
    autocomplete: 'off',
  });
  return element('label', { title: description }, label, input, offers);
};

const askOptions = (command) => {
  const form = place('options');
  place('commands').hidden = true;
  place('text').value = '';
  const close = () => {
    form.hidden = true;
    place('text').focus();
  };
  form.onsubmit = (event) => {
    event.preventDefault();
    void act({ kind: 'command', name: command.name, options: typed(command.options, form) });
    close();
  };
  form.replaceChildren(
    element('strong', {}, `/${command.name}`),
    ...command.options.map((option) => optionField(command, option, form)),
    element('button', { class: 'primary' }, 'Run'),
    element('button', { type: 'button', onclick: close }, 'Cancel'),
  );
  form.hidden = false;
  (form.querySelector('input, select') ?? form.querySelector('button')).focus();
};

const inputsOf = (one) =>
  one.type === 4
    ? [one]
    : [...(one.components ?? []), one.component]
        .filter(Boolean)
        .flatMap((child) => inputsOf({ ...child, label: child.label ?? one.label }));

const showModal = ({ modal, interaction }) => {
  const dialog = place('modal');
  const fields = modal.components
    .flatMap(inputsOf)
    .map(({ custom_id: name, label, style, value, required }) =>
      element(
        'label',
        {},
        label ?? name,
        element(style === 2 ? 'textarea' : 'input', { name, value, required }),
      ),
    );
  const form = element(
    'form',
    { method: 'dialog' },
    element('h2', {}, modal.title),
    ...fields,
    element('button', { class: 'primary' }, 'Submit'),
    element('button', { type: 'button', onclick: () => dialog.close() }, 'Cancel'),
  );
  form.addEventListener('submit', () => {
    void act({ kind: 'modal', interaction, values: Object.fromEntries(new FormData(form)) });
  });
  dialog.replaceChildren(form);
  dialog.showModal();
};

place('member').addEventListener('change', ({ target }) => {
  chosen.member = target.value;
  void look();
});
place('text').addEventListener('input', offerCommands);
place('composer').addEventListener('submit', (event) => {
  event.preventDefault();
  const content = place('text').value.trim();
  if (content.startsWith('/')) {
    place('commands').querySelector('button')?.click();
    return;
  }
  place('text').value = '';
  if (content) void act({ kind: 'message', content });
});

addEventListener('unhandledrejection', ({ reason }) => say(reason.message));

let isLooking = false;
let isStale = false;
/** However many changes come, one look at a time. */
const lookAgain = async () => {
  isStale = true;
  if (isLooking) return;
  isLooking = true;
  while (isStale) {
    isStale = false;
    await look();
  }
  isLooking = false;
};
new EventSource('/changes').addEventListener('message', lookAgain);
