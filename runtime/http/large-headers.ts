import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import { TLSSocket } from 'node:tls';
import { type Language, spokenLanguage } from '#contracts/kernel/language.ts';
import { problemContentType } from '#contracts/kernel/problems.ts';
import { escapeHtml } from '../escape-html.ts';
import { Problem, toProblemDocument } from '../problem.ts';
import type { Refusal } from './request-faults.ts';

/** What the handler gets, in bytes. Programs on all ports of `localhost` share their cookies (openhab/openhab-core#287). */
const mostBytes = 64 * 1024;

/** What is read at all, so that who sends more than the handler gets is answered in a form that fits. */
export const readHeaderBytes = 2 * mostBytes;

/** Answers requests with larger headers: browsers with a page that says what to do, programs with a problem document. */
export const refuseLargeHeaders =
  (handler: RequestListener, refusal: Refusal): RequestListener =>
  (request, response) => {
    const { rawHeaders, url = '', headers } = request;
    const bytes = rawHeaders.reduce((sum, part) => sum + part.length + 2, url.length);
    if (bytes <= mostBytes) {
      handler(request, response);
      return;
    }
    const problem = refusal() ?? new Problem('HEADERS_TOO_LARGE');
    const isForPeople =
      problem.code === 'HEADERS_TOO_LARGE' && headers.accept?.includes('text/html') === true;
    // An unread body would cost the client our answer.
    request.resume();
    response.writeHead(problem.status, {
      ...problem.headers,
      Connection: 'close',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': "default-src 'none'",
      'Content-Type': isForPeople ? 'text/html; charset=utf-8' : problemContentType,
      'X-Content-Type-Options': 'nosniff',
    });
    response.end(
      isForPeople
        ? renderPage(request, Math.ceil(bytes / 1024))
        : JSON.stringify(toProblemDocument(problem, { requestId: randomUUID() })),
    );
  };

interface Words {
  readonly title: string;
  readonly text: (kilobytes: number) => string;
  readonly shared: string;
  readonly elsewhere: (link: string) => string;
  readonly remove: (host: string) => string;
}

const wordsIn: Readonly<Record<Language, Words>> = {
  en: {
    title: 'Your browser sends too many cookies',
    text: (kilobytes) =>
      `This request came with ${kilobytes} KB of cookies and other headers. Castellan takes at most ${mostBytes / 1024} KB.`,
    shared:
      'All programs on this computer share their cookies at this address, so most of them come from other programs.',
    elsewhere: (link) => `Open Castellan at ${link}: your browser does not send them there.`,
    remove: (host) =>
      `Or delete the cookies of ${host} in your browser: click the icon to the left of the address, then the entry for cookies. Then load this page again.`,
  },
  'pt-BR': {
    title: 'Seu navegador envia cookies demais',
    text: (kilobytes) =>
      `Este pedido veio com ${kilobytes} KB de cookies e outros cabeçalhos. O Castellan aceita no máximo ${mostBytes / 1024} KB.`,
    shared:
      'Neste endereço, todos os programas deste computador compartilham os cookies, e por isso a maioria é de outros programas.',
    elsewhere: (link) => `Abra o Castellan em ${link}: seu navegador não os envia para lá.`,
    remove: (host) =>
      `Ou apague os cookies de ${host} no navegador: clique no símbolo à esquerda do endereço e depois na entrada dos cookies. Depois, recarregue esta página.`,
  },
};

const renderPage = ({ headers, socket }: IncomingMessage, kilobytes: number): string => {
  const language = spokenLanguage((headers['accept-language'] ?? '').split(',')) ?? 'en';
  const words = wordsIn[language];
  const { host = '' } = headers;
  const [, name, port = ''] = /^(localhost|127\.0\.0\.1)(:\d{1,5})?$/i.exec(host) ?? [];
  const link = `${socket instanceof TLSSocket ? 'https' : 'http'}://${name === '127.0.0.1' ? 'localhost' : '127.0.0.1'}${port}/`;
  const lines = [
    words.text(kilobytes),
    ...(name === undefined ? [] : [words.shared, words.elsewhere(`<a href="${link}">${link}</a>`)]),
    words.remove(`<bdi>${escapeHtml(host)}</bdi>`),
  ];
  return `<!doctype html><html lang="${language}"><meta charset="utf-8"><title>${words.title}</title><h1>${words.title}</h1>${lines.map((line) => `<p>${line}</p>`).join('')}</html>`;
};
