import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from '#runtime/atomic-write.ts';
import { composeMail } from './compose-mail.ts';
import type { MailTransport } from './transport.ts';

const ownerOnly = { file: 0o600, folder: 0o700 } as const;

/** For development: each mail becomes a file that mail programs can open, named so that the newest sorts last. */
export const createFolderTransport = (folder: string): MailTransport => ({
  async send(mail) {
    try {
      await mkdir(folder, { recursive: true, mode: ownerOnly.folder });
      const moment = mail.date.toISOString().replaceAll(':', '-');
      const text = (await composeMail(mail)).toString();
      await writeFileAtomically(join(folder, `${moment}-${mail.id}.eml`), text, ownerOnly.file);
      return { outcome: 'accepted' };
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException;
      return { outcome: 'failed', permanent: false, fault: `the mail folder: ${code}` };
    }
  },
});
