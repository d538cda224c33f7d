import { CATALOG_OPERATIONS } from '../catalog/operations.ts';
import type { SandboxSettings } from '../settings.ts';
import type { DescribedOperation, Examples } from './describe.ts';
import { refusalsOf, XML_FORM } from './refusals.ts';
import { TEXT, type Json } from './schema.ts';

/** The catalog in its command form: one line of text in, XML out. */
export function describeCommand({ commandPath }: SandboxSettings['catalog'], examples: Examples): DescribedOperation {
  const { reply = {}, refusals } = examples.answers['command'] ?? {};
  const operation = {
    operationId: 'command',
    tags: ['catalog'],
    summary: 'Every operation of the catalog as a command with an XML reply.',
    description: commandList(),
    parameters: [],
    requestBody: {
      required: true,
      description: 'One line: `Command:Name=value|Name=value`. Of the content type nothing is expected.',
      content: { 'text/plain': { schema: TEXT, examples: examplesOf(commands(examples)) } },
    },
    responses: {
      '200': {
        description: 'An XML document whose root is named like the command.',
        content: { 'text/xml': { schema: TEXT, examples: examplesOf(reply as Record<string, string>) } },
      },
      ...refusalsOf(
        [
          'INVALID_COMMAND',
          'INVALID_SSD',
          'UNKNOWN_COMMAND',
          'CATALOG_NOT_FOUND',
          'VEHICLE_NOT_FOUND',
          'OPERATION_NOT_FOUND',
          'CATEGORY_NOT_FOUND',
          'UNIT_NOT_FOUND',
          'QUICK_GROUP_NOT_FOUND',
          'COMMAND_TOO_LONG',
        ],
        refusals,
        XML_FORM,
      ),
    },
  };
  return { method: 'post', path: commandPath, operation };
}

/** The commands with their parameters, those that may be left out with a question mark. */
function commandList(): string {
  const lines = CATALOG_OPERATIONS.map(({ command, parameters, hasFields }) => {
    const names = parameters.map((one) => `${one.command}${one.inCommand === 'required' ? '' : '?'}`);
    return `- \`${command}\`: ${[...names, ...(hasFields ? ['the fields of the operation'] : [])].join(', ')}`;
  });
  return `The commands and their parameters; those with a ? may be left out.\n\n${lines.join('\n')}`;
}

function commands({ catalog, vehicleId, ssd, ident }: Examples): Record<string, string> {
  const car = `Catalog=${catalog}|ssd=${ssd}`;
  const vehicle = `${car}|VehicleId=${vehicleId}`;
  const lines = {
    GetCatalogInfo: `Catalog=${catalog}`,
    FindVehicle: `IdentString=${ident}`,
    FindVehicleByPlateNumber: 'CountryCode=ru|PlateNumber=А123ВС77',
    GetVehicleInfo: `${vehicle}|Localized=true`,
    ExecCustomOperation: `Catalog=${catalog}|operation=wizard|model=Fjell|year=2012`,
    ListUnits: `${vehicle}|CategoryId=11`,
    ListDetailByUnit: `${car}|UnitId=NRD1101`,
    ListQuickGroup: vehicle,
    ListQuickDetail: `${vehicle}|QuickGroupId=111|All=0`,
  };
  return Object.fromEntries(Object.entries(lines).map(([name, values]) => [name, `${name}:Locale=en_US|${values}`]));
}

function examplesOf(texts: Record<string, string>): Json {
  return Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, { value }]));
}
