import type { Language } from './language.ts';
import type { ProgramFault, ProgramFaultCode } from './program-faults.ts';

type Sentences = Readonly<Record<ProgramFaultCode, (...values: string[]) => string>>;

const en: Sentences = {
  'folder-missing': (folder) => `The server’s folder ${folder} does not exist. Is its drive connected?`,
  'folder-silent': (path) => `${path} does not respond. Is its network drive connected?`,
  'folder-closed': (folder, account) =>
    `The account ${account} may not enter the folder ${folder}. Give it the folder (chown ${account}), and let it pass through those above (chmod o+x).`,
  'program-missing': (program) => `The program ${program} does not exist.`,
  'program-is-folder': (program) => `${program} is a folder, not a program.`,
  'program-not-executable': (program) =>
    `${program} may not be run, or not be reached. Is it marked as executable?`,
  'program-closed': (program, account) =>
    `The account ${account} may not run ${program}, or not reach it. Is it marked as executable?`,
  'program-busy': (program) => `${program} is being written.`,
  'not-a-program': (program) => `${program} is empty, damaged or not a program.`,
  'wrong-architecture': (program, own, machine) =>
    `${program} is for another kind of machine: it is for ${own}, and this machine is ${machine}.`,
  'interpreter-missing': (program, interpreter) =>
    `${program} is run by ${interpreter}, which does not exist.`,
  'script-line-endings': (program) =>
    `${program} has the line endings of Windows, so its first line names no program. Convert it to Unix line endings.`,
  'library-missing': (program, library) => `${program} needs the library ${library}, which is not installed.`,
  'unit-program': (unit) => `systemd cannot run the program of ${unit}. Its journal says why.`,
  'service-program': (service) =>
    `Windows cannot run the program of the service ${service}: it does not exist or is not a program.`,
};

const pt: Sentences = {
  'folder-missing': (folder) => `A pasta do servidor ${folder} não existe. O disco dela está conectado?`,
  'folder-silent': (path) => `${path} não responde. A unidade de rede está conectada?`,
  'folder-closed': (folder, account) =>
    `A conta ${account} não pode entrar na pasta ${folder}. Dê a pasta a ela (chown ${account}) e permita a passagem pelas pastas acima (chmod o+x).`,
  'program-missing': (program) => `O programa ${program} não existe.`,
  'program-is-folder': (program) => `${program} é uma pasta, não um programa.`,
  'program-not-executable': (program) =>
    `${program} não pode ser executado ou alcançado. Ele está marcado como executável?`,
  'program-closed': (program, account) =>
    `A conta ${account} não pode executar ou alcançar ${program}. Ele está marcado como executável?`,
  'program-busy': (program) => `${program} está sendo gravado.`,
  'not-a-program': (program) => `${program} está vazio, danificado ou não é um programa.`,
  'wrong-architecture': (program, own, machine) =>
    `${program} é para outro tipo de máquina: ele é para ${own}, e esta máquina é ${machine}.`,
  'interpreter-missing': (program, interpreter) =>
    `${program} é executado por ${interpreter}, que não existe.`,
  'script-line-endings': (program) =>
    `${program} tem as quebras de linha do Windows, por isso sua primeira linha não indica nenhum programa. Converta-o para quebras de linha do Unix.`,
  'library-missing': (program, library) =>
    `${program} precisa da biblioteca ${library}, que não está instalada.`,
  'unit-program': (unit) =>
    `O systemd não consegue executar o programa de ${unit}. O journal dele diz por quê.`,
  'service-program': (service) =>
    `O Windows não consegue executar o programa do serviço ${service}: ele não existe ou não é um programa.`,
};

/** One or two sentences: what is wrong, and what to do where that is not obvious. */
export const programFaultText = ({ code, values }: ProgramFault, language: Language): string =>
  (language === 'pt-BR' ? pt : en)[code](...values);
