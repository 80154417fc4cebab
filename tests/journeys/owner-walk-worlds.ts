import {
  button,
  confirmIdentity,
  content,
  link,
  type OwnerWalk,
  openPage,
  serverName,
} from './owner-walk.ts';
import type { WalkedStep } from './walk.ts';

const longMs = 120_000;
/** A backup is restored into a cluster of its own before it counts. */
const backupMs = 300_000;

/** Lets the agent start the game, and backs up and restores its world. @returns the restore */
export const walkWorlds = async ({ walk, owner, machine }: OwnerWalk): Promise<WalkedStep> => {
  const { page, click, step } = walk;
  await step('start-the-game', async () => {
    // As the owner does in the game's own window.
    await machine.stopByHand();
    await click(link(content(page), 'Go to server'));
    await click(button(page, 'Start'));
    await page.getByText('Start – Done').waitFor({ timeout: longMs });
    const restart = page.getByRole('button', { name: 'Restart', disabled: false });
    await restart.waitFor({ timeout: longMs });
    return restart;
  });
  await step('world-backup', async () => {
    await click(page.getByRole('tab', { name: 'Worlds' }));
    await click(button(page, 'Back up now'));
    await page.getByText('Backup – Done').waitFor({ timeout: longMs });
    return page.getByRole('button', { name: /^Restore the backup/ });
  });
  const restored = await step('world-restore', async () => {
    await click(page.getByRole('button', { name: /^Restore the backup/ }));
    const dialog = page.getByRole('dialog');
    await click(button(dialog, 'Restore'));
    await confirmIdentity(walk, owner.password, button(page, 'Keep worlds …'));
    await page.getByText('Online', { exact: true }).first().waitFor({ timeout: longMs });
    return button(page, 'Keep worlds …');
  });
  await step('world-kept', async () => {
    await click(button(page, 'Keep worlds …'));
    await click(button(page.getByRole('dialog'), 'Delete old worlds'));
    await page.getByText('Keep restored worlds – Done').waitFor({ timeout: longMs });
    return button(page, 'Back up now');
  });
  return restored;
};

/** Backs Castellan up in the panel and restores it with the command that the page shows. */
export const walkCastellanBackup = async ({ walk, machine }: OwnerWalk): Promise<void> => {
  const { page, click, step, atTerminal } = walk;
  let command = '';
  await step('castellan-backup', async () => {
    await openPage(walk, 'Backups');
    await click(button(content(page), 'Back up now'));
    await page.getByText(/^Requested by/).waitFor({ timeout: backupMs });
    command = (await page.getByText(/^castellan restore /).textContent()) ?? '';
    return button(content(page), /^Copy/);
  });
  await step('castellan-restore', async () => {
    await click(button(content(page), /^Copy/));
    await machine.castellan('stop');
    atTerminal('castellan stop'.length + 2);
    await machine.castellan(...command.split(' ').slice(1));
    machine.startCastellan();
    atTerminal('castellan start'.length + 1);
    await page.getByText('Live', { exact: true }).waitFor({ timeout: longMs });
    await openPage(walk, 'Overview');
    return link(content(page), serverName);
  });
};
