import { plural } from '#contracts/language.ts';
import { defineWords } from '../language/define-words.ts';

/** Of a backup: a kind of actor, and its name at that time. */
interface Asker {
  readonly kind: string;
  readonly name: string;
}

export const backupsWords = defineWords(
  {
    title: 'Backups',
    description: 'Database, settings with their keys, and license; each one tried out before it counts.',
    takeNow: 'Back up now',
    taking: 'A backup is being taken',
    state: 'State',
    last: 'Last backup',
    none: 'None yet',
    next: 'Next by itself',
    soon: 'In a few minutes',
    free: 'Free on the disk',
    taken: 'Taken and tried out',
    failed: 'The last one failed',
    failedText: 'It is tried again every hour.',
    obstacle: 'No backup can be taken here',
    kept: 'Kept backups',
    empty: 'There is no backup yet. The first one is taken by itself soon after the start.',
    count: (count: number) => plural.en(count, 'backup', 'backups'),
    when: 'Taken',
    kind: 'Kind',
    reason: 'Reason',
    size: 'Size',
    kinds: { nightly: 'Nightly', manual: 'By hand', database: 'Database only' },
    askedBy: ({ kind, name }: Asker) =>
      kind === 'desktop'
        ? 'Asked for on the desktop'
        : `Asked for by ${kind === 'api-key' ? 'API key ' : ''}${name}`,
    byCommand: 'By the command',
    beforeMigration: 'Before a change of the database',
    beforeUpdate: (version: string) => `Before the update to ${version}`,
    rules:
      'Of the nightly ones, 7 daily and 4 weekly are kept. The others stay until you delete them in the folder "backups" of the data folder. Keep a copy on another machine.',
    restore: 'To restore one, stop Castellan and give this command on the machine:',
  },
  {
    title: 'Backups',
    description: 'Banco de dados, configurações com suas chaves e licença; cada um é testado antes de valer.',
    takeNow: 'Fazer backup agora',
    taking: 'Um backup está sendo feito',
    state: 'Estado',
    last: 'Último backup',
    none: 'Nenhum ainda',
    next: 'Próximo automático',
    soon: 'Em alguns minutos',
    free: 'Livre no disco',
    taken: 'Feito e testado',
    failed: 'O último falhou',
    failedText: 'Há uma nova tentativa a cada hora.',
    obstacle: 'Nenhum backup pode ser feito aqui',
    kept: 'Backups guardados',
    empty: 'Ainda não há backup. O primeiro é feito sozinho pouco depois da partida.',
    count: (count: number) => plural.pt(count, 'backup', 'backups'),
    when: 'Feito',
    kind: 'Tipo',
    reason: 'Motivo',
    size: 'Tamanho',
    kinds: { nightly: 'Noturno', manual: 'Manual', database: 'Só o banco de dados' },
    askedBy: ({ kind, name }: Asker) =>
      kind === 'desktop'
        ? 'Pedido no desktop'
        : `Pedido por ${kind === 'api-key' ? 'chave de API ' : ''}${name}`,
    byCommand: 'Pelo comando',
    beforeMigration: 'Antes de uma mudança no banco de dados',
    beforeUpdate: (version: string) => `Antes da atualização para ${version}`,
    rules:
      'Dos noturnos, ficam 7 diários e 4 semanais. Os outros ficam até você apagá-los na pasta "backups" da pasta de dados. Guarde uma cópia em outra máquina.',
    restore: 'Para restaurar um, pare o Castellan e dê este comando na máquina:',
  },
);
