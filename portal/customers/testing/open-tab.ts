import { expect } from 'vitest';
import { newestCode } from '#harness/mailbox.ts';
import type { TestPortal } from '#harness/portal.ts';
import type { Secret } from '#runtime/secret.ts';

interface TabOptions {
  readonly url?: string;
  /** The language that the browser asks for. */
  readonly language?: string;
}

/** As much of a browser as forms need: cookies, the Origin header, no automatic redirects. */
export const openTabOf = (
  portal: TestPortal,
  masterKey: Secret,
  { url = portal.url, language }: TabOptions = {},
) => {
  const cookies = new Map<string, string>();
  const send = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(url + path, {
      redirect: 'manual',
      ...init,
      headers: {
        ...(language === undefined ? {} : { 'Accept-Language': language }),
        Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(init.headers as Record<string, string> | undefined),
      },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const text = await response.text();
    const location = response.headers.get('Location');
    return { status: response.status, headers: response.headers, text, location };
  };
  const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    send(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: url, ...headers },
      body: new URLSearchParams(fields).toString(),
    });
  const csrfOf = async (path: string) => {
    const { text } = await send(path);
    return / name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
  };
  const signIn = async (email: string) => {
    const csrf = await csrfOf('/account/sign-in');
    expect((await post('/account/sign-in', { csrf, email })).location).toBe('/account/sign-in/code');
    const code = await newestCode(portal.context, masterKey, email);
    const answer = await post('/account/sign-in/code', { csrf: await csrfOf('/account/sign-in/code'), code });
    expect(answer.location).toBe('/account');
    return answer;
  };
  return { cookies, send, post, csrfOf, signIn };
};
