import { plural } from '#contracts/language.ts';
import { defineWords } from '#contracts/words.ts';

export const secretsWords = defineWords(
  {
    title: 'Secrets',
    description: 'Passwords and service keys are stored encrypted.',
    state: 'State',
    fine: (total: number) => `All ${plural.en(total, 'secret', 'secrets')} readable`,
    none: 'No secrets stored yet.',
    unreadable: (count: number) => `${plural.en(count, 'secret', 'secrets')} cannot be read.`,
    old: (count: number) =>
      `${plural.en(count, 'secret is', 'secrets are')} still on an old key. Re-encrypt all secrets before you remove that key.`,
    keys: 'Keys',
    key: 'Key',
    count: 'Secrets',
    keyState: {
      current: 'In use',
      previous: 'Old, read-only',
      unknown: 'Missing',
    },
    keyMeaning: {
      current: 'New secrets are encrypted with it.',
      previous: 'Set as CONFIG_ENCRYPTION_KEY_PREVIOUS.',
      unknown: 'Not configured, so its secrets cannot be read.',
    },
    faults: 'Cannot be read',
    secret: 'Secret',
    fault: { 'unknown-key': 'Key missing', damaged: 'Damaged' },
    remedy: {
      'unknown-key':
        'Put the old key into CONFIG_ENCRYPTION_KEY_PREVIOUS and restart the API; or enter the secret again where it belongs.',
      damaged: 'Enter it again where it belongs. It cannot be recovered in any other way.',
    },
    moreFaults: (count: string) => `And ${count} more.`,
    reencrypt: 'Re-encrypt all secrets',
    reencryptQuestion: 'Re-encrypt all secrets?',
    reencryptText:
      'Castellan reads every secret and encrypts it with the key in use. Everything keeps running; a secret that cannot be read stays unchanged. You can leave this page.',
    run: {
      title: 'Re-encryption',
      waiting: 'Queued',
      running: 'Running',
      done: 'Done',
      progress: (done: string, total: number) => `${done} of ${plural.en(total, 'secret', 'secrets')}`,
      failed: (count: number) => `Unreadable and left unchanged: ${plural.en(count, 'secret', 'secrets')}.`,
      asked: 'Started',
      ended: 'Ended',
      nothing: 'Nothing to do: all secrets already use the current key.',
      never: 'Secrets have never been re-encrypted.',
      leave: 'You can leave this page.',
    },
    rotation: {
      title: 'Change the encryption key',
      text: 'Do this if someone may have seen the key, or once a year. On the machine that runs Castellan, one command does everything, including a backup:',
      byHand: 'Or step by step:',
      steps: {
        backUp: 'Back up the database and the .env file in the data folder.',
        move: 'In .env, move the current key from CONFIG_ENCRYPTION_KEY to CONFIG_ENCRYPTION_KEY_PREVIOUS.',
        make: 'Set CONFIG_ENCRYPTION_KEY to a new key of 64 hexadecimal digits. This command creates one:',
        restart: 'Restart the API in System health or with this command:',
        reencrypt:
          'Come back to this page and choose “Re-encrypt all secrets”. Wait until no secret uses the old key.',
        remove:
          'Remove CONFIG_ENCRYPTION_KEY_PREVIOUS from .env and restart the API again. Older backups still need the old key, so keep it with them in a safe place.',
      },
      neverOnly: 'Always keep the old key as the previous one. Without it, your secrets are lost.',
    },
  },
  {
    title: 'Segredos',
    description: 'Senhas e chaves de serviços ficam criptografadas.',
    state: 'Estado',
    fine: (total: number) => `${plural.pt(total, 'segredo legível', 'segredos legíveis')}`,
    none: 'Nenhum segredo guardado ainda.',
    unreadable: (count: number) =>
      `${plural.pt(count, 'segredo não pode ser lido', 'segredos não podem ser lidos')}.`,
    old: (count: number) =>
      `${plural.pt(count, 'segredo ainda está', 'segredos ainda estão')} numa chave antiga. Criptografe tudo de novo antes de retirar essa chave.`,
    keys: 'Chaves',
    key: 'Chave',
    count: 'Segredos',
    keyState: {
      current: 'Em uso',
      previous: 'Antiga, só para leitura',
      unknown: 'Ausente',
    },
    keyMeaning: {
      current: 'Segredos novos são criptografados com ela.',
      previous: 'Definida em CONFIG_ENCRYPTION_KEY_PREVIOUS.',
      unknown: 'Não está configurada, por isso os segredos dela não podem ser lidos.',
    },
    faults: 'Não podem ser lidos',
    secret: 'Segredo',
    fault: { 'unknown-key': 'Falta a chave', damaged: 'Danificado' },
    remedy: {
      'unknown-key':
        'Coloque a chave antiga em CONFIG_ENCRYPTION_KEY_PREVIOUS e reinicie a API; ou digite o segredo de novo no lugar dele.',
      damaged: 'Digite-o de novo no lugar dele. Não há outra forma de recuperá-lo.',
    },
    moreFaults: (count: string) => `E mais ${count}.`,
    reencrypt: 'Criptografar todos de novo',
    reencryptQuestion: 'Criptografar todos os segredos de novo?',
    reencryptText:
      'O Castellan lê cada segredo e o criptografa com a chave em uso. Tudo continua rodando; um segredo que não pode ser lido fica como está. Você pode sair desta página.',
    run: {
      title: 'Nova criptografia',
      waiting: 'Na fila',
      running: 'Em andamento',
      done: 'Concluída',
      progress: (done: string, total: number) => `${done} de ${plural.pt(total, 'segredo', 'segredos')}`,
      failed: (count: number) => `Ilegíveis, sem alteração: ${plural.pt(count, 'segredo', 'segredos')}.`,
      asked: 'Início',
      ended: 'Fim',
      nothing: 'Nada a fazer: todos os segredos já usam a chave atual.',
      never: 'Os segredos ainda não foram criptografados de novo.',
      leave: 'Você pode sair desta página.',
    },
    rotation: {
      title: 'Trocar a chave de criptografia',
      text: 'Faça isto se alguém pode ter visto a chave, ou uma vez por ano. Na máquina que roda o Castellan, um comando faz tudo, inclusive um backup:',
      byHand: 'Ou passo a passo:',
      steps: {
        backUp: 'Faça um backup do banco de dados e do arquivo .env na pasta de dados.',
        move: 'No .env, passe a chave atual de CONFIG_ENCRYPTION_KEY para CONFIG_ENCRYPTION_KEY_PREVIOUS.',
        make: 'Defina CONFIG_ENCRYPTION_KEY com uma chave nova de 64 dígitos hexadecimais. Este comando cria uma:',
        restart: 'Reinicie a API em Saúde do sistema ou com este comando:',
        reencrypt:
          'Volte a esta página e escolha “Criptografar todos de novo”. Espere até nenhum segredo usar a chave antiga.',
        remove:
          'Remova CONFIG_ENCRYPTION_KEY_PREVIOUS do .env e reinicie a API de novo. Backups mais antigos ainda precisam da chave antiga; guarde-a com eles em lugar seguro.',
      },
      neverOnly: 'Sempre mantenha a chave antiga como anterior. Sem ela, seus segredos se perdem.',
    },
  },
);
