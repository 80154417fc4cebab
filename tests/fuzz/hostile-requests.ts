import * as z from 'zod';
import { openApiExtensions } from '#contracts/operations/observability.ts';
import { pickFrom } from '../bench/harness/seeded-random.ts';
import { hostileCursor, hostileInsteadOf, hostileText, hostileValue, type Random } from './hostile-values.ts';
import {
  idKind,
  type Known,
  knownId,
  type SampleOptions,
  type Schema,
  sampleOf,
  schema,
} from './sample-values.ts';

/** One request as it goes over the wire. */
export interface HostileRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** An operation of an OpenAPI document. */
export interface Operation {
  readonly method: string;
  /** With parameters as `{name}`. */
  readonly path: string;
  readonly access: string;
  readonly proof: string;
  readonly parameters: readonly z.infer<typeof parameter>[];
  /** Content type and shape. */
  readonly body: { readonly type: string; readonly schema: Schema } | null;
}

const parameter = z.looseObject({
  ...{ name: z.string(), in: z.string(), schema, required: z.boolean().default(false) },
});
const described = z.looseObject({
  [openApiExtensions.access]: z.string().default('public'),
  [openApiExtensions.proof]: z.string().default('any'),
  parameters: z.array(parameter).default([]),
  requestBody: z
    .looseObject({ content: z.record(z.string(), z.looseObject({ schema: schema.optional() })) })
    .optional(),
});
const openApi = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.looseObject({ schemas: z.record(z.string(), schema).default({}) }).optional(),
});

export interface Interface {
  readonly operations: readonly Operation[];
  readonly definitions: Readonly<Record<string, Schema>>;
}

/** Everything that a program says it answers. */
export const interfaceOf = (document: unknown): Interface => {
  const { paths, components } = openApi.parse(document);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Operation => {
      const { parameters, requestBody, ...more } = described.parse(operation);
      const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
      return {
        method: method.toUpperCase(),
        path,
        access: more[openApiExtensions.access],
        proof: more[openApiExtensions.proof],
        parameters,
        body: type === undefined ? null : { type, schema: content?.schema ?? {} },
      };
    }),
  );
  return { operations, definitions: components?.schemas ?? {} };
};

const json = 'application/json';

/** Replaces one value somewhere in it, or adds one that no one asked for. */
export const spoilt = (value: unknown, random: Random): unknown => {
  const isInner = typeof value === 'object' && value !== null && random() < 0.95;
  if (!isInner) return hostileInsteadOf(value, random);
  if (Array.isArray(value)) {
    if (value.length === 0) return [hostileValue(random)];
    const at = Math.floor(random() * value.length);
    return value.map((each: unknown, index) => (index === at ? spoilt(each, random) : each));
  }
  const names = Object.keys(value);
  if (names.length === 0 || random() < 0.05) return { ...value, [hostileText(random)]: hostileValue(random) };
  const name = pickFrom(names, random);
  return { ...value, [name]: spoilt((value as Record<string, unknown>)[name], random) };
};

/** Half of a character stays an escape, which JSON can hold. */
const written = (value: unknown): string => JSON.stringify(value);

/** What no schema describes. */
const nonsense = (random: Random): Pick<HostileRequest, 'headers' | 'body'> => {
  const kind = Math.floor(random() * 8);
  const asJson = { 'Content-Type': json };
  switch (kind) {
    case 0:
      return {
        headers: asJson,
        body: pickFrom(['{', '"', '[1,', '{"a":1}}', '\ufeff{}', 'null', '', '1e999'], random),
      };
    case 1:
      return { headers: asJson, body: Buffer.from([0x22, 0xff, 0xed, 0xa0, 0x80, 0x22]) };
    case 2:
      return { headers: asJson, body: '['.repeat(50_000) };
    case 3:
      return { headers: asJson, body: `${'['.repeat(40_000)}"\\u0000"${']'.repeat(40_000)}` };
    case 4:
      return { headers: { 'Content-Type': `${json}; charset=utf-16` }, body: '{}' };
    case 5:
      return { headers: { 'Content-Type': 'text/plain' }, body: hostileText(random).toWellFormed() };
    case 6:
      return { headers: { ...asJson, 'Content-Encoding': 'gzip' }, body: '{}' };
    default:
      return { headers: asJson, body: written(hostileValue(random)) };
  }
};

/** What no percent-encoding yields, beside what one does. */
const inPath = (text: string, random: Random, isSpoilt: boolean): string => {
  if (isSpoilt && random() < 0.05)
    return pickFrom(['%', '%zz', '%ff', '%ed%a0%80', '%c0%80', '%00', '%2e%2e', '.'], random);
  return encodeURIComponent(text.toWellFormed()).slice(0, 6000) || '%20';
};

const pairsOf = (name: string, value: unknown): [string, string][] =>
  (Array.isArray(value) ? value : [value]).map((each) => [
    name,
    (typeof each === 'string' ? each : (JSON.stringify(each) ?? '')).toWellFormed().slice(0, 6000),
  ]);

/**
 * A request to an operation.
 * @param isSpoilt whether one or two places of it are not as documented; by default in three of five cases
 */
export const requestTo = (
  operation: Operation,
  options: SampleOptions,
  isSpoilt: boolean = options.random() > 0.4,
): HostileRequest => {
  const { known, random } = options;
  const chance = isSpoilt ? 0.2 : 0;
  const ids: string[] = [];
  const path = operation.path.replace(/([^/]*)\/\{([^}]+)\}/g, (_all, before: string, name: string) => {
    const asked = operation.parameters.find((each) => each.in === 'path' && each.name === name);
    const kind = name === 'id' || name === 'name' ? before : name;
    const right = random() < 0.8 ? options.values?.[`${idKind(kind)}Id`] : undefined;
    const found = right?.() ?? knownId(kind, options) ?? sampleOf(asked?.schema ?? {}, name, options);
    ids.push(String(found));
    const value = random() < chance ? hostileInsteadOf(found, random) : found;
    return `${before}/${inPath(typeof value === 'object' ? JSON.stringify(value) : String(value), random, isSpoilt)}`;
  });

  const query: [string, string][] = [];
  const headers: Record<string, string> = {};
  for (const { name, in: place, schema: asked, required } of operation.parameters) {
    if (place === 'path' || random() < (required ? 0.05 : 0.5)) continue;
    const sampled = name === 'cursor' ? hostileCursor(random) : sampleOf(asked, name, options);
    if (place === 'header') headers[name] = String(sampled).replace(/[^\x20-\x7e]/g, '?');
    if (place !== 'query') continue;
    const value = random() < chance ? hostileInsteadOf(sampled, random) : sampled;
    query.push(...pairsOf(name, value));
    if (isSpoilt && random() < 0.05) query.push(...pairsOf(name, hostileText(random)));
  }
  const asked =
    new URLSearchParams(query).toString() + (isSpoilt && random() < 0.02 ? '&%ff=%zz&a[b]=%00' : '');
  const target = `${path}${asked === '' ? '' : `?${asked}`}`.slice(0, 12_000);

  const { method, body } = operation;
  if (body === null) return { method, path: target, headers };
  if (isSpoilt && random() < 0.08) {
    const odd = nonsense(random);
    return { method, path: target, ...odd, headers: { ...headers, ...odd.headers } };
  }
  if (body.type !== json)
    return {
      method,
      path: target,
      headers: { ...headers, 'Content-Type': body.type },
      body: written(hostileValue(random)),
    };
  let value = sampleOf(body.schema, '', options);
  const version = known.versions.get(ids.at(-1) ?? operation.path);
  if (
    version !== undefined &&
    random() < 0.8 &&
    typeof value === 'object' &&
    value !== null &&
    'version' in value
  )
    value = { ...value, version };
  if (isSpoilt && random() < 0.85) value = spoilt(value, random);
  if (isSpoilt && random() < 0.2) value = spoilt(value, random);
  return {
    method,
    path: target,
    headers: { ...headers, 'Content-Type': json },
    body: written(value) ?? 'null',
  };
};

const mostIds = 200;

/** Remembers the ids and versions that answers name. */
export const createMemory = (): Known & { learn(path: string, answer: unknown): void } => {
  const ids = new Map<string, string[]>();
  const versions = new Map<string, number>();
  const keep = (kind: string, id: string) => {
    const all = ids.get(kind) ?? [];
    if (all.includes(id)) return;
    all.push(id);
    if (all.length > mostIds) all.splice(5, 1);
    ids.set(kind, all);
  };
  const learn = (kind: string, value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) {
      for (const each of value.slice(0, 20)) learn(kind, each);
      return;
    }
    const { name: title, id = title, version } = value as Readonly<Record<string, unknown>>;
    if (typeof id === 'string') keep(kind, id);
    if (typeof id === 'string' && typeof version === 'number') versions.set(id, version);
    for (const [name, inner] of Object.entries(value)) {
      if (name !== 'id' && /Id$/.test(name) && typeof inner === 'string') keep(idKind(name), inner);
      else learn(name === 'rows' ? kind : idKind(name), inner);
    }
  };
  return {
    ids,
    versions,
    learn(path, answer) {
      const [place = ''] = path.split('?', 1);
      const parts = place.split('/');
      const { version } = Object(answer) as { readonly version?: unknown };
      if (typeof version === 'number') versions.set(place, version);
      // The last part that is a word names what the answer lists.
      learn(idKind(parts.findLast((part) => /^[a-z-]+s$/.test(part)) ?? ''), answer);
    },
  };
};
