import { type Permission, permissionNames } from '#contracts/identity/permissions.ts';
import type { Can } from '../../../kit/access/can.ts';
import type { ApiOperation } from './open-api.ts';

/**
 * Who may call an operation, from the reader's point of view.
 * - `yes`: the reader, and so their API keys
 * - `panel`: the reader, in the panel; API keys are refused
 * - `lacks`: not the reader, who lacks its permission
 * - `others`: components of Castellan, which have their own keys
 */
type Standing = 'yes' | 'panel' | 'lacks' | 'others';

const ofParts: readonly string[] = ['agent', 'discord-user', 'supervisor', 'bot.report'];

export const permissionOf = ({ access }: Pick<ApiOperation, 'access'>): Permission | null =>
  permissionNames.find((name) => name === access) ?? null;

export const standingOf = (operation: Pick<ApiOperation, 'access' | 'proof'>, can: Can): Standing => {
  const { access, proof } = operation;
  if (ofParts.includes(access)) return 'others';
  const permission = permissionOf(operation);
  if (permission && !can.somewhere(permission)) return 'lacks';
  return access === 'session' || proof !== 'any' ? 'panel' : 'yes';
};
