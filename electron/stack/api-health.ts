import { request } from 'node:http';
import * as z from 'zod';
import { problemContentType, problemDocument } from '#contracts/kernel/problems.ts';
import { licenseFaults, licenseStates } from '#contracts/license/license-state.ts';
import { type HealthStatus, healthHttp, stackHealth } from '#contracts/operations/health.ts';
import { parseJson } from '#runtime/read-json.ts';
import type { Health } from '../supervisor/component.ts';

interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

const longestBody = 256 * 1024;

/** The 403 that answers every request while there is no valid license. */
const licenseRefusal = problemDocument.extend({
  code: z.enum(licenseFaults),
  license: z.object({ state: z.enum(licenseStates) }).optional(),
});

/** What the API's answer to the health question means for the supervisor. Any answer proves that it is alive. */
export const readHealthAnswer = ({ status, contentType, body }: Answer): Health => {
  const json = parseJson(body);
  const health = stackHealth.safeParse(json);
  if (health.success) {
    const { status, license, components } = health.data;
    // The other components have supervision of their own: without its database the API cannot work.
    const condition = components.database.status === 'down' ? 'down' : isWell(status) ? 'ok' : 'degraded';
    const details = Object.entries(components)
      .filter(([, component]) => !isWell(component.status) && component.detail)
      .map(([name, component]) => `${name}: ${component.detail}`);
    return { condition, license, detail: details.join('; ') || null };
  }
  const refusal = licenseRefusal.safeParse(json);
  if (status === 403 && contentType.startsWith(problemContentType) && refusal.success) {
    const { license, detail, title } = refusal.data;
    return { condition: 'ok', license: license?.state ?? 'rejected', detail: detail ?? title };
  }
  return { condition: 'degraded', detail: `answers ${status} when asked for its health` };
};

/** Unknown is only the bot, which the supervisor knows. */
const isWell = (status: HealthStatus): boolean => status === 'ok' || status === 'unknown';

/** @param origin of the API on this machine */
export const askApi = async (origin: string, signal: AbortSignal): Promise<Health> =>
  readHealthAnswer(await get(new URL(healthHttp.stack.path, origin), signal));

const get = (url: URL, signal: AbortSignal): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const asked = request(url, { signal, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        if (body.length < longestBody) body += text;
      });
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          contentType: response.headers['content-type'] ?? '',
          body,
        }),
      );
    });
    asked.on('error', reject);
    asked.end();
  });
