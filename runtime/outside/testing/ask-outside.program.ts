import { Secret } from '../../secret.ts';
import { createOutside } from '../outside.ts';
import { explainOutside } from '../outside-failure.ts';
import type { Question } from './ask-outside.ts';

const { trustedCaFile, asked } = JSON.parse(process.argv[2] ?? '') as Question;

const answers = asked.map(async ({ url, proxy, machineProxy }) => {
  const settings = { trustedCaFile, proxy: proxy === undefined ? undefined : new Secret(proxy), noProxy: '' };
  const way = createOutside(settings, machineProxy === undefined ? {} : { HTTPS_PROXY: machineProxy });
  try {
    const response = await way.fetch(new URL(url), {
      redirect: 'error',
      signal: AbortSignal.timeout(15_000),
    });
    return { status: response.status, body: await response.text() };
  } catch (error) {
    return explainOutside(error, new URL(url), { way });
  }
});
process.stdout.write(JSON.stringify(await Promise.all(answers)));
