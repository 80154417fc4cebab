import * as z from 'zod';
import { outsideAddressKinds } from '#contracts/operations/outside-addresses.ts';
import { Secret } from '../../secret.ts';
import { createOutside } from '../outside.ts';
import { testAddress } from '../test-address.ts';

const questions = z.object({
  trustedCaFile: z.string().optional(),
  asked: z.array(
    z.object({
      kind: z.enum(outsideAddressKinds),
      url: z.string(),
      /** HTTPS_PROXY of the settings. */
      proxy: z.string().optional(),
      /** HTTPS_PROXY of the machine's environment. */
      machineProxy: z.string().optional(),
      /** HTTPS_PROXY of the settings, if it is one that cannot be used. */
      unused: z.string().optional(),
    }),
  ),
});

const { trustedCaFile, asked } = questions.parse(JSON.parse(process.argv[2] ?? ''));
const tests = asked.map(({ kind, url, proxy, machineProxy, unused }) => {
  const settings = {
    ...{ trustedCaFile, noProxy: '' },
    proxy: proxy === undefined ? undefined : new Secret(proxy),
    unused: unused === undefined ? [] : [{ setting: 'HTTPS_PROXY', value: new Secret(unused) }],
  };
  const way = createOutside(settings, machineProxy === undefined ? {} : { HTTPS_PROXY: machineProxy });
  return testAddress({ kind, url: new URL(url) }, way);
});
process.stdout.write(JSON.stringify(await Promise.all(tests)));
