import type { APIEmbed } from 'discord.js';
import { type FormFault, invalidForm, problem } from './problems.ts';

/** The common fields of Create Message, Execute Webhook and an interaction's answer. */
export interface MessageBody {
  readonly content?: string | null;
  readonly embeds?: readonly APIEmbed[] | null;
  readonly components?: readonly Component[] | null;
  readonly allowed_mentions?: AllowedMentions | null;
  readonly attachments?: readonly { id: string | number; filename?: string; description?: string }[];
  readonly flags?: number | null;
  readonly tts?: boolean;
  readonly nonce?: string | number;
  readonly enforce_nonce?: boolean;
  readonly message_reference?: { readonly message_id: string; readonly fail_if_not_exists?: boolean };
  readonly username?: string;
  readonly avatar_url?: string;
}

export interface AllowedMentions {
  readonly parse?: readonly ('users' | 'roles' | 'everyone')[];
  readonly users?: readonly string[];
  readonly roles?: readonly string[];
  readonly replied_user?: boolean;
}

/** https://docs.discord.com/developers/components/reference */
export interface Component {
  readonly type: number;
  readonly id?: number;
  readonly custom_id?: string;
  readonly label?: string;
  readonly style?: number;
  readonly url?: string;
  readonly disabled?: boolean;
  readonly value?: string;
  readonly required?: boolean;
  readonly options?: readonly { readonly label: string; readonly value: string }[];
  readonly components?: readonly Component[];
  readonly component?: Component;
  readonly accessory?: Component;
}

export const flag = { ephemeral: 1 << 6, loading: 1 << 7, componentsV2: 1 << 15 } as const;

/** Like Python's len: a character outside the basic plane counts once. */
const lengthOf = (text: string): number => [...text].length;

const tooLong = (path: FormFault['path'], text: unknown, most: number): FormFault[] =>
  typeof text === 'string' && lengthOf(text.trim()) > most
    ? [{ path, code: 'BASE_TYPE_MAX_LENGTH', message: `Must be ${most} or fewer in length.` }]
    : [];
const tooMany = (path: FormFault['path'], list: unknown, most: number): FormFault[] =>
  Array.isArray(list) && list.length > most
    ? [{ path, code: 'BASE_TYPE_MAX_LENGTH', message: `Must be ${most} or fewer in length.` }]
    : [];
const missing = (path: FormFault['path'], value: unknown): FormFault[] =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
    ? [{ path, code: 'BASE_TYPE_REQUIRED', message: 'This field is required' }]
    : [];
const badUrl = (path: FormFault['path'], url: unknown): FormFault[] => {
  if (url === undefined || url === null) return [];
  if (typeof url !== 'string' || !URL.canParse(url))
    return [{ path, code: 'URL_TYPE_INVALID_URL', message: 'Not a well formed URL.' }];
  if (/^(https?|attachment):/.test(url)) return [];
  const message = `Scheme "${url.split(':')[0]}" is not supported. Scheme must be one of ('http', 'https').`;
  return [{ path, code: 'URL_TYPE_INVALID_SCHEME', message }];
};

const mostEmbedCharacters = 6000;

/** https://docs.discord.com/developers/resources/message#embed-object-embed-limits */
const embedFaults = (embeds: readonly APIEmbed[]): FormFault[] => {
  const faults = embeds.flatMap((embed, index) => {
    const at = ['embeds', index] as const;
    return [
      ...tooLong([...at, 'title'], embed.title, 256),
      ...tooLong([...at, 'description'], embed.description, 4096),
      ...tooLong([...at, 'footer', 'text'], embed.footer?.text, 2048),
      ...tooLong([...at, 'author', 'name'], embed.author?.name, 256),
      ...badUrl([...at, 'url'], embed.url),
      ...badUrl([...at, 'image', 'url'], embed.image?.url),
      ...badUrl([...at, 'thumbnail', 'url'], embed.thumbnail?.url),
      ...badUrl([...at, 'author', 'icon_url'], embed.author?.icon_url),
      ...tooMany([...at, 'fields'], embed.fields, 25),
      ...(embed.fields ?? []).flatMap((field, position) => [
        ...missing([...at, 'fields', position, 'name'], field.name),
        ...missing([...at, 'fields', position, 'value'], field.value),
        ...tooLong([...at, 'fields', position, 'name'], field.name, 256),
        ...tooLong([...at, 'fields', position, 'value'], field.value, 1024),
      ]),
    ];
  });
  const texts = embeds.flatMap(({ title, description, footer, author, fields = [] }) => [
    title,
    description,
    footer?.text,
    author?.name,
    ...fields.flatMap(({ name, value }) => [name, value]),
  ]);
  const total = texts.reduce((sum, text) => sum + lengthOf((text ?? '').trim()), 0);
  if (total > mostEmbedCharacters) {
    const message = `Embed size exceeds maximum size of ${mostEmbedCharacters}`;
    faults.push({ path: ['embeds'], code: 'MAX_EMBED_SIZE_EXCEEDED', message });
  }
  return faults;
};

export const allComponents = (components: readonly Component[]): Component[] =>
  components.flatMap((component) => [
    component,
    ...allComponents(component.components ?? []),
    ...allComponents([component.component, component.accessory].filter((inner) => inner !== undefined)),
  ]);

const interactive = new Set([2, 3, 4, 5, 6, 7, 8]);
const linkStyle = 5;
const premiumStyle = 6;

/** https://docs.discord.com/developers/components/reference#legacy-message-component-behavior */
export const componentFaults = (components: readonly Component[], isV2: boolean): FormFault[] => {
  const all = allComponents(components);
  const used = new Set<string>();
  const faults = isV2 ? tooMany(['components'], all, 40) : tooMany(['components'], components, 5);
  for (const [index, row] of components.entries()) {
    const at = ['components', index] as const;
    if (!isV2 && row.type !== 1 && row.type !== 18)
      faults.push({ path: [...at, 'type'], code: 'BASE_TYPE_CHOICES', message: 'Must be one of (1,).' });
    if (row.type === 1) faults.push(...tooMany([...at, 'components'], row.components, 5));
  }
  for (const { type, custom_id, label, style, url, options } of all) {
    if (!interactive.has(type) || style === linkStyle || (type === 2 && style === premiumStyle)) {
      if (type === 2 && style === linkStyle)
        faults.push(...missing(['components'], url), ...badUrl(['components'], url));
      continue;
    }
    faults.push(
      ...missing(['components'], custom_id),
      ...tooLong(['components'], custom_id, 100),
      ...tooLong(['components'], label, type === 2 ? 80 : 45),
      ...tooMany(['components'], options, 25),
    );
    if (custom_id !== undefined && used.has(custom_id)) {
      const message = 'Component custom id cannot be duplicated';
      faults.push({ path: ['components'], code: 'COMPONENT_CUSTOM_ID_DUPLICATED', message });
    }
    used.add(custom_id ?? '');
  }
  return faults;
};

const mostMentionIds = 100;

/** https://docs.discord.com/developers/resources/message#allowed-mentions-object */
const mentionFaults = ({ parse = [], users = [], roles = [] }: AllowedMentions): FormFault[] => {
  const exclusive = (kind: 'users' | 'roles', ids: readonly string[]): FormFault[] => {
    const path = ['allowed_mentions', kind];
    if (ids.length === 0 || !parse.includes(kind)) return tooMany(path, ids, mostMentionIds);
    const code = 'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE';
    return [{ path, code, message: `parse:["${kind}"] and ${kind}: [ids...] are mutually exclusive.` }];
  };
  return [...exclusive('users', users), ...exclusive('roles', roles)];
};

/** https://docs.discord.com/developers/resources/message#create-message */
export const checkMessage = (body: MessageBody): void => {
  const { content, embeds, components, allowed_mentions, nonce, flags } = body;
  const isV2 = ((flags ?? 0) & flag.componentsV2) !== 0;
  const faults = [
    ...tooLong(['content'], content, 2000),
    ...tooMany(['embeds'], embeds, 10),
    ...embedFaults(embeds ?? []),
    ...componentFaults(components ?? [], isV2),
    ...mentionFaults(allowed_mentions ?? {}),
    // The code for this is undocumented.
    ...tooLong(['nonce'], nonce === undefined ? undefined : String(nonce), 25),
  ];
  if (isV2 && (content || embeds?.length)) {
    const code = 'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2';
    const message = 'The legacy content and embed fields cannot be used with components v2';
    faults.push({ path: [content ? 'content' : 'embeds'], code, message });
  }
  if (faults.length > 0) throw invalidForm(faults);
};

export const checkNotEmpty = (body: MessageBody, fileCount: number): void => {
  const { content, embeds, components } = body;
  if (content?.trim() || embeds?.length || components?.length || fileCount > 0) return;
  throw problem('emptyMessage');
};

/** Checks the name of a webhook and of each of its messages. https://docs.discord.com/developers/resources/webhook#create-webhook */
export const checkWebhookName = (path: 'name' | 'username', name: string | undefined): void => {
  if (name === undefined && path === 'username') return;
  const faults = [...missing([path], name), ...tooLong([path], name, 80)];
  for (const forbidden of ['clyde', 'discord']) {
    if (!name?.toLowerCase().includes(forbidden)) continue;
    const message = `Username cannot contain "${forbidden}"`;
    faults.push({ path: [path], code: 'USERNAME_INVALID_CONTAINS', message });
  }
  if (faults.length > 0) throw invalidForm(faults);
};

export const checkAvatarUrl = (url: string | undefined): void => {
  const faults = badUrl(['avatar_url'], url);
  if (faults.length > 0) throw invalidForm(faults);
};
