import * as z from 'zod';

/** One request of a walk. */
export interface WalkRequest {
  readonly path: string;
  readonly init: RequestInit;
}

const parameter = z.looseObject({ name: z.string(), in: z.enum(['path', 'query', 'header']) });
const fields = z.looseObject({ properties: z.record(z.string(), z.unknown()).optional() });
/** A body schema with one form, or with several. */
const bodySchema = fields.extend({ oneOf: z.array(fields).optional() });
const operation = z.looseObject({
  parameters: z.array(parameter).default([]),
  requestBody: z
    .object({ content: z.record(z.string(), z.object({ schema: bodySchema.optional() })) })
    .optional(),
});
const openApi = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });

/** Field names of a body schema in all its forms; none if the document refers elsewhere. */
const fieldNames = (asked: z.infer<typeof operation>): string[] => {
  const schema = asked.requestBody?.content['application/json']?.schema;
  const forms = schema ? [schema, ...(schema.oneOf ?? [])] : [];
  return [...new Set(forms.flatMap(({ properties = {} }) => Object.keys(properties)))];
};

const json = { 'Content-Type': 'application/json' };

/**
 * Every endpoint that an API describes, with the text in every place of a request: path, query, fields, names of
 * fields, broken JSON, headers. New endpoints are included automatically.
 */
export const walkRequests = (document: unknown, text: string): WalkRequest[] =>
  Object.entries(openApi.parse(document).paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, described]) =>
      requestsTo(path, method.toUpperCase(), operation.parse(described), text),
    ),
  );

const requestsTo = (
  path: string,
  method: string,
  asked: z.infer<typeof operation>,
  text: string,
): WalkRequest[] => {
  const inPath = encodeURIComponent(text);
  const target = path.replaceAll(/\{[^}]+\}/g, inPath);
  const query = new URLSearchParams({ [text]: text });
  for (const each of asked.parameters) if (each.in === 'query') query.append(each.name, text);
  const names = fieldNames(asked);
  const bodies = [
    JSON.stringify(Object.fromEntries([...names.map((name) => [name, text]), ['unknown', text]])),
    JSON.stringify(Object.fromEntries(names.map((name) => [name, { [text]: [text] }]))),
    JSON.stringify({ [text]: text }),
    JSON.stringify(text),
    `{"a": ${text}`,
    `"${text}`,
  ];
  const ownHeaders = asked.parameters.filter((each) => each.in === 'header').map(({ name }) => [name, text]);
  const headers: Record<string, string>[] = [
    Object.fromEntries(ownHeaders),
    { Authorization: `Bearer ${text}` },
    { Authorization: `Basic ${btoa(`admin:${text}`)}` },
    { Cookie: `castellan_session=${text}; other=${text}` },
    {
      Origin: `https://${text}.example`,
      Referer: `https://example.org/${text}`,
      'User-Agent': text,
      'X-Any': text,
    },
  ];
  const takesBody = asked.requestBody !== undefined;
  // A request without its required body changes nothing.
  const plainBody = takesBody ? { body: '{}', headers: json } : {};
  return [
    { path: target, init: { method, ...plainBody } },
    { path: `${target}?${query}`, init: { method, ...plainBody } },
    { path: `${target}/${inPath}`, init: { method, ...plainBody } },
    ...headers.map((each) => ({
      path: target,
      init: { method, ...plainBody, headers: { ...json, ...each } },
    })),
    ...(takesBody ? bodies.map((body) => ({ path: target, init: { method, headers: json, body } })) : []),
    ...(takesBody ? [{ path: target, init: { method, headers: { 'Content-Type': text }, body: text } }] : []),
    ...Object.keys(asked.requestBody?.content ?? {})
      .filter((type) => type !== json['Content-Type'])
      .map((type) => ({ path: target, init: { method, headers: { 'Content-Type': type }, body: text } })),
  ];
};
