import { type ComponentHealth, type StackHealth, stackHealth } from '../../operations/health.ts';

const ok: ComponentHealth = { status: 'ok', detail: null };
const names = Object.keys(stackHealth.shape.components.shape);

/** The API's health answer while all is well, with every component. */
export const healthReport = (
  changed: Partial<Omit<StackHealth, 'components'>> & {
    readonly components?: Partial<StackHealth['components']>;
  } = {},
): StackHealth =>
  stackHealth.parse({
    status: 'ok',
    version: '1.0.0',
    contractVersion: 1,
    uptimeSeconds: 1,
    license: 'valid',
    troubleSince: {},
    ...changed,
    components: { ...Object.fromEntries(names.map((name) => [name, ok])), ...changed.components },
  });
