import type { ServerResponse } from 'node:http';
import type { State } from './state.ts';

/** The default avatar of a user, with a color chosen by a number. */
const disc = (number: bigint): string => {
  const hue = Number((number * 61n) % 360n);
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 128 128" width="128" height="128">' +
    `<rect width="128" height="128" fill="hsl(${hue} 45% 45%)"/>` +
    '<circle cx="64" cy="50" r="22" fill="#fff"/><path d="M24 112a40 34 0 0 1 80 0z" fill="#fff"/></svg>'
  );
};

/** Pictures and files. https://docs.discord.com/developers/reference#image-formatting-cdn-endpoints */
export const serveCdn = ({ avatars, files }: State, path: string, response: ServerResponse): void => {
  const attachment = /^\/cdn\/attachments\/\d+\/(\d+)\//.exec(path)?.[1];
  if (attachment !== undefined) {
    const file = files.get(attachment);
    if (!file) return void response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': file.contentType }).end(file.bytes);
    return;
  }
  const [, userId = '', hash = ''] = /^\/cdn\/avatars\/(\d+)\/(\w+)\.\w+$/.exec(path) ?? [];
  const source = avatars.get(hash);
  if (source !== undefined) return void response.writeHead(302, { Location: source }).end();
  const index = /^\/cdn\/embed\/avatars\/(\d+)\.png$/.exec(path)?.[1];
  const isKnown = userId !== '' || index !== undefined;
  if (!isKnown) return void response.writeHead(404).end();
  // Real ones are PNG; for display any picture works.
  response.writeHead(200, { 'Content-Type': 'image/svg+xml' }).end(disc(BigInt(userId || (index ?? 0))));
};
