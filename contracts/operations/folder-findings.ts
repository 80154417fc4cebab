import * as z from 'zod';
import { defineWords } from '../kernel/words.ts';

/** What can speak against a folder for a database, its programs or backups; the detail names the letter, number or path. */
export const folderFindingCodes = [
  'not-absolute',
  'impossible-name',
  /** Windows would put the value of a variable there. */
  'variable',
  /** The path has letters that Windows cannot pass to Postgres. */
  'unspellable',
  'too-long',
  'no-drive',
  'not-a-folder',
  'no-access',
  'read-only',
  'not-writable',
  'programs',
  'network',
  /** A drive letter that is a name for another folder, in one sign-in only. */
  'substituted',
  'removable',
  'volatile',
  'synced',
  /** Named as a sync client names its folder, which others do, too. */
  'maybe-synced',
  /** Windows lets only programs that it knows write there. */
  'protected',
  'rights',
  /** Windows decrypts the files for one account only. */
  'encrypted',
  'compressed',
  'full',
] as const;
export const folderFindingCode = z.enum(folderFindingCodes);
export type FolderFindingCode = z.infer<typeof folderFindingCode>;

/** Something to know about a folder that does not rule it out. */
export const folderWarning = z.object({ code: folderFindingCode, detail: z.string() });
export type FolderWarning = z.infer<typeof folderWarning>;

export const folderFindingWords = defineWords(
  {
    'not-absolute': 'Enter the full path, such as D:\\Castellan or /srv/castellan.',
    'impossible-name': 'No folder can have this name. Choose another one.',
    variable:
      'Windows reads a name between two % signs as a variable. Choose a path without % signs, such as D:\\Castellan.',
    unspellable:
      'The database can’t use some letters in this path. Choose a path with plain letters, such as D:\\Castellan.',
    'too-long': 'This path is too long for the database. Choose a shorter one, such as D:\\Castellan.',
    'no-drive': 'This drive does not exist.',
    'not-a-folder': 'This path is a file, not a folder.',
    'no-access':
      'This account may not open this folder. Ask its owner or an administrator for access, or choose another folder.',
    'read-only': 'This disk can only be read. Choose a folder on another one.',
    'not-writable': 'Castellan can’t write to this folder. Choose another one.',
    programs:
      'Castellan is installed in this folder, and an update would delete your data. Choose another one.',
    network:
      'This folder is on another machine, and a network failure would damage the database. Choose a local disk.',
    substituted:
      'This drive letter is only a short name for another folder, and not every program sees it. Choose that folder itself.',
    removable: 'This disk can be unplugged, which would damage the database. An internal disk is safer.',
    volatile:
      'This disk is in memory: everything on it is lost when the computer restarts. Choose a folder on another disk.',
    synced: 'This folder is synced with a cloud, which would damage the database. Choose another one.',
    'maybe-synced':
      'This folder has a name that sync programs use. If it is synced with a cloud or another computer, choose another one.',
    protected:
      'Windows protects this folder from programs that it does not know, and would stop the database. Choose a folder outside your documents, such as D:\\Castellan.',
    rights:
      'The database can’t protect its files from other accounts in this folder. Choose another folder or disk.',
    encrypted:
      'Windows encrypts this folder for your account alone, so services could not read the database. Choose a folder that is not encrypted.',
    compressed: 'Windows compresses this folder, which makes the database slow. Another folder is better.',
    full: 'Not enough free space. Free up space, or choose a folder on another disk.',
  },
  {
    'not-absolute': 'Informe o caminho completo, como D:\\Castellan ou /srv/castellan.',
    'impossible-name': 'Nenhuma pasta pode ter este nome. Escolha outro.',
    variable:
      'O Windows lê um nome entre dois sinais % como uma variável. Escolha um caminho sem sinais %, como D:\\Castellan.',
    unspellable:
      'O banco de dados não consegue usar algumas letras deste caminho. Escolha um caminho com letras simples, como D:\\Castellan.',
    'too-long':
      'Este caminho é longo demais para o banco de dados. Escolha um mais curto, como D:\\Castellan.',
    'no-drive': 'Esta unidade não existe.',
    'not-a-folder': 'Este caminho é um arquivo, não uma pasta.',
    'no-access':
      'Esta conta não pode abrir esta pasta. Peça acesso ao dono dela ou a um administrador, ou escolha outra pasta.',
    'read-only': 'Este disco só pode ser lido. Escolha uma pasta em outro disco.',
    'not-writable': 'O Castellan não pode gravar nesta pasta. Escolha outra.',
    programs: 'O Castellan está instalado nesta pasta, e uma atualização apagaria seus dados. Escolha outra.',
    network:
      'Esta pasta fica em outra máquina, e uma falha de rede danificaria o banco de dados. Escolha um disco local.',
    substituted:
      'Esta letra de unidade é só um nome curto para outra pasta, e nem todo programa a vê. Escolha a própria pasta.',
    removable:
      'Este disco pode ser desconectado, o que danificaria o banco de dados. Um disco interno é mais seguro.',
    volatile:
      'Este disco fica na memória: tudo nele se perde quando o computador reinicia. Escolha uma pasta em outro disco.',
    synced:
      'Esta pasta é sincronizada com uma nuvem, o que danificaria o banco de dados. Escolha outra pasta.',
    'maybe-synced':
      'Esta pasta tem um nome que programas de sincronização usam. Se ela é sincronizada com uma nuvem ou outro computador, escolha outra.',
    protected:
      'O Windows protege esta pasta de programas que não conhece e pararia o banco de dados. Escolha uma pasta fora dos seus documentos, como D:\\Castellan.',
    rights:
      'Nesta pasta, o banco de dados não consegue proteger seus arquivos de outras contas. Escolha outra pasta ou outro disco.',
    encrypted:
      'O Windows criptografa esta pasta só para a sua conta, e os serviços não conseguiriam ler o banco de dados. Escolha uma pasta sem criptografia.',
    compressed: 'O Windows compacta esta pasta, o que deixa o banco de dados lento. Outra pasta é melhor.',
    full: 'Espaço livre insuficiente. Libere espaço ou escolha uma pasta em outro disco.',
  },
);
