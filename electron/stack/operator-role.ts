import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { operatorRole } from '#contracts/kernel/product.ts';
import { Secret } from '#runtime/secret.ts';

/** Derived, so that no second password must be kept: anyone who can read the superuser's may be the operator. */
export const operatorPassword = (superuserPassword: Secret): Secret =>
  new Secret(createHmac('sha256', superuserPassword.reveal()).update(operatorRole).digest('base64url'));

export const postgresFolder = (home: string): string => join(home, 'postgres');

/** The operator's password of an existing cluster. */
export const readOperatorPassword = async (home: string): Promise<Secret> => {
  const file = join(postgresFolder(home), 'superuser.password');
  return operatorPassword(new Secret((await readFile(file, 'utf8')).trim()));
};
