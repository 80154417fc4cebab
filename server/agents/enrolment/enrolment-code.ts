import { randomBytes } from 'node:crypto';
import { Secret } from '#runtime/secret.ts';
import { sealedColumn } from '../../secrets/sealed-column.ts';

export const enrolmentCodeColumn = sealedColumn({
  table: 'agent_enrolments',
  key: ['id'],
  column: 'code',
  describe: ([id]) => `The code of the agent enrolment ${id}`,
});

const codeBytes = 16;

export const newEnrolmentCode = (): Secret => new Secret(randomBytes(codeBytes).toString('base64url'));
