import { defineWords } from '#contracts/kernel/words.ts';

/** Who asked for a backup: the kind of actor, and its name at that time. */
interface Asker {
  readonly kind: string;
  readonly name: string;
}

export const backupsWords = defineWords(
  {
    title: 'Backups',
    description:
      'Database, settings with their keys, and license. Every backup is test-restored before it counts.',
    takeNow: 'Back up now',
    taking: 'Backup in progress',
    state: 'State',
    last: 'Last backup',
    none: 'None yet',
    next: 'Next automatic backup',
    soon: 'In a few minutes',
    free: 'Free disk space',
    taken: 'Created and tested',
    failed: 'The last backup failed',
    failedText: 'Castellan tries again every hour.',
    obstacle: 'Backups are not possible here',
    kept: 'Available backups',
    empty: 'No backups yet. The first one is created soon after Castellan starts.',
    when: 'Created',
    kind: 'Kind',
    reason: 'Reason',
    size: 'Size',
    check: 'Last check',
    noChecksums: 'Has no checksums',
    unchecked: 'Tonight',
    datedAhead: 'Wrong date; does not count',
    faults: {
      changed: (file: string) => `Damaged: ${file} has changed`,
      missing: (file: string) => `Incomplete: ${file} is missing`,
      extra: (file: string) => `Contains a foreign file: ${file}`,
      unreadable: (file: string) => `Unreadable: ${file}`,
      newer: () => 'Made by a newer version',
    },
    kinds: { nightly: 'Nightly', manual: 'Manual', database: 'Database only' },
    askedBy: ({ kind, name }: Asker) =>
      kind === 'desktop'
        ? 'Requested on the desktop'
        : `Requested by ${kind === 'api-key' ? 'API key ' : ''}${name}`,
    byCommand: 'From the command line',
    beforeMigration: 'Before a database upgrade',
    beforeUpdate: (version: string) => `Before the update to ${version}`,
    rules:
      'Castellan keeps the nightly backups of the last days and of 4 weeks before them, and compares each backup with its checksums every night. All others stay until you delete them from “backups” in the data folder. Keep a copy on another machine.',
    schedule: 'Hour and days of the nightly backup',
    copyCommand: 'Copy command',
    restore: 'To restore a backup, use “This computer” in the desktop, or run this command on the machine:',
    restoreHere: 'Restore a backup',
    download: 'Download …',
    downloadOf: (when: string) => `Download the backup of ${when} …`,
    downloadTitle: (when: string) => `Download the backup of ${when}?`,
    downloadText:
      'It contains everything: accounts, keys and purchases. That is why it leaves this machine only encrypted, with a passphrase of your choice.',
    passphrase: 'Passphrase',
    passphraseAgain: 'Passphrase again',
    passphraseDiffers: 'The two entries differ.',
    passphraseText:
      'Ten characters at least; four random words are good. Castellan does not keep it: without it, no one can open the file. The command “castellan restore FILE” asks for it.',
    downloadAct: 'Encrypt and download',
    downloadStarted: 'The download has started. Keep the passphrase in a safe place.',
  },
  {
    title: 'Backups',
    description:
      'Banco de dados, configurações com suas chaves e licença. Cada backup passa por uma restauração de teste antes de valer.',
    takeNow: 'Fazer backup agora',
    taking: 'Backup em andamento',
    state: 'Estado',
    last: 'Último backup',
    none: 'Nenhum ainda',
    next: 'Próximo backup automático',
    soon: 'Em alguns minutos',
    free: 'Espaço livre em disco',
    taken: 'Feito e testado',
    failed: 'O último backup falhou',
    failedText: 'O Castellan tenta de novo a cada hora.',
    obstacle: 'Não é possível fazer backup aqui',
    kept: 'Backups disponíveis',
    empty: 'Nenhum backup ainda. O primeiro é feito pouco depois que o Castellan inicia.',
    when: 'Feito',
    kind: 'Tipo',
    reason: 'Motivo',
    size: 'Tamanho',
    check: 'Última verificação',
    noChecksums: 'Sem somas de verificação',
    unchecked: 'Hoje à noite',
    datedAhead: 'Data errada; não conta',
    faults: {
      changed: (file: string) => `Danificado: ${file} mudou`,
      missing: (file: string) => `Incompleto: falta ${file}`,
      extra: (file: string) => `Contém um arquivo alheio: ${file}`,
      unreadable: (file: string) => `Ilegível: ${file}`,
      newer: () => 'Feito por uma versão mais nova',
    },
    kinds: { nightly: 'Noturno', manual: 'Manual', database: 'Só o banco de dados' },
    askedBy: ({ kind, name }: Asker) =>
      kind === 'desktop'
        ? 'Pedido no desktop'
        : `Pedido por ${kind === 'api-key' ? 'chave de API ' : ''}${name}`,
    byCommand: 'Pela linha de comando',
    beforeMigration: 'Antes de uma atualização do banco de dados',
    beforeUpdate: (version: string) => `Antes da atualização para ${version}`,
    rules:
      'Dos backups noturnos, o Castellan guarda os dos últimos dias e de 4 semanas antes deles, e toda noite compara cada backup com suas somas de verificação. Os outros ficam até você apagá-los da pasta “backups”, na pasta de dados. Guarde uma cópia em outra máquina.',
    schedule: 'Hora e dias do backup noturno',
    copyCommand: 'Copiar comando',
    restore: 'Para restaurar um backup, use “Este computador” no desktop ou execute este comando na máquina:',
    restoreHere: 'Restaurar um backup',
    download: 'Baixar …',
    downloadOf: (when: string) => `Baixar o backup de ${when} …`,
    downloadTitle: (when: string) => `Baixar o backup de ${when}?`,
    downloadText:
      'Ele contém tudo: contas, chaves e compras. Por isso só sai desta máquina criptografado, com uma frase secreta escolhida por você.',
    passphrase: 'Frase secreta',
    passphraseAgain: 'Frase secreta de novo',
    passphraseDiffers: 'As duas são diferentes.',
    passphraseText:
      'Pelo menos dez caracteres; quatro palavras aleatórias são boas. O Castellan não a guarda: sem ela, ninguém abre o arquivo. O comando “castellan restore ARQUIVO” pergunta por ela.',
    downloadAct: 'Criptografar e baixar',
    downloadStarted: 'O download começou. Guarde a frase secreta em um lugar seguro.',
  },
);
