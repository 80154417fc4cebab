import { product } from '#contracts/kernel/product.ts';
import { readApiProcess } from '#contracts/operations/supervision.ts';
import { homeFolder } from '#runtime/home.ts';
import { createLog } from '#runtime/log.ts';
import { setUpOutside } from '#runtime/outside/outside.ts';
import { runProgram } from '#runtime/program.ts';
import { createRedactor } from '#runtime/redact.ts';
import { readStackConfig, stackSecrets } from '#runtime/stack-config.ts';
import { startApi } from './api.ts';

/** A little less than the supervisor grants. */
const stopDeadlineMs = 8000;

const home = homeFolder(product.name, 'CASTELLAN_HOME', process.env);
const reading = readStackConfig(home);
const config = await reading.catch(() => null);
const log = createLog(
  config
    ? { component: 'api', level: config.logLevel, redact: createRedactor(stackSecrets(config)) }
    : { component: 'api' },
);

await runProgram(
  async ({ resources, localOwner }) => {
    const config = await reading;
    setUpOutside(config.outside, log);
    const api = await startApi({
      config,
      home,
      programsFolder: import.meta.dirname,
      log,
      localOwner,
      process: readApiProcess(process.env),
    });
    resources.use(api);
    log.info({ port: api.port }, 'API listening');
  },
  { log, stopDeadlineMs },
);
