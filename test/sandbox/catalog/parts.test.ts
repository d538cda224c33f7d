import { describe, expect, test } from 'vitest';
import { catalogForTest } from './world.ts';

type Detail = {
  oem: string;
  name: string;
  codeOnImage: string;
  match?: boolean;
  links?: object[];
  attributes: object[];
};
type Unit = {
  unitId: string;
  code: string;
  ssd: string;
  imageUrl: string;
  details: Detail[];
  links?: { categoryId: string }[];
};
type Category = { categoryId: string; parentCategoryId?: string; childrens: boolean; units: Unit[] };
type Group = { quickGroupId: number; name: string; link: boolean; children: Group[] };

const catalog = await catalogForTest({ settings: { catalog: { imageUrl: 'https://pictures.example.com/a' } } });
const vehicle = await catalog.known();

function walk(group: Group): Group[] {
  return [group, ...group.children.flatMap(walk)];
}

describe('listUnits', () => {
  test('shows the first category that the vehicle has units in when none is asked for', async () => {
    const units = await catalog.json<Unit[]>('listUnits', vehicle);

    expect(units).toEqual(await catalog.json('listUnits', { ...vehicle, categoryId: '11' }));
    expect(units).toMatchObject([
      { unitId: 'NRD1101', code: '1101', imageUrl: 'https://pictures.example.com/a/%size%/nordmark-1101.png' },
    ]);
  });

  test('leads by links to the next category, whose ssd lists it', async () => {
    const [unit] = await catalog.json<Unit[]>('listUnits', vehicle);
    const link = unit!.links![0] as { categoryId: string; ssd: string; command: string; vehicleId: string };
    const { categoryId, ssd, command, vehicleId } = link;

    expect(command).toBe('ListUnits');
    const next = await catalog.json<Unit[]>('listUnits', { catalog: vehicle.catalog, categoryId, ssd, vehicleId });
    expect(next.length).toBeGreaterThan(0);
    expect(next).not.toContainEqual(expect.objectContaining({ unitId: unit!.unitId }));
  });

  test('says why a unit may not apply', async () => {
    const values = { ...vehicle, categoryId: '40', localized: 'true' };

    expect(await catalog.json('listUnits', values)).toContainEqual(
      expect.objectContaining({
        unitId: 'NRD4001',
        filter: 'AC',
        filter_note: 'for vehicles with air conditioning',
      }),
    );
  });

  test('refuses a category that is not there', async () => {
    const reply = await catalog.post('/listUnits', { ...vehicle, categoryId: '999' });

    expect(reply.status).toBe(404);
    expect(await reply.json()).toMatchObject({ error: { code: 'CATEGORY_NOT_FOUND' } });
  });
});

describe('listDetailByUnit', () => {
  test('shows the parts of a unit with the ssd of the unit or of the vehicle', async () => {
    const [unit] = await catalog.json<Unit[]>('listUnits', vehicle);
    const values = { catalog: vehicle.catalog, unitId: unit!.unitId };
    const details = await catalog.json<Detail[]>('listDetailByUnit', { ...values, ssd: unit!.ssd });

    expect(details[0]).toMatchObject({ name: 'Oil filter', codeOnImage: '1', oem: 'N95 556 163 B' });
    expect(details[0]!.attributes).toContainEqual({ key: 'amount', value: '2' });
    expect(details).toEqual(await catalog.json('listDetailByUnit', { ...values, ssd: vehicle.ssd }));
  });

  test('shows only what the vehicle has of a unit that several vehicles share', async () => {
    const oems = async (identString: string) => {
      const { catalog: code, ssd } = await catalog.known(identString);
      const details = await catalog.json<Detail[]>('listDetailByUnit', { catalog: code, ssd, unitId: 'NRD1101' });
      return details.map(({ oem }) => oem);
    };
    const [first, second] = [await oems('YX9ZZZF1ACN104813'), await oems('YX9ZZZF1DDN109626')];

    expect(first).toContain('N95 556 163 B');
    expect(second).not.toContain('N95 556 163 B');
    expect(second).toContain('N93 790 033 U');
  });

  test('has links only when asked for', async () => {
    const values = { catalog: vehicle.catalog, ssd: vehicle.ssd, unitId: 'NRD1301' };
    const linked = async (more: Record<string, string>) => {
      const details = await catalog.json<Detail[]>('listDetailByUnit', { ...values, ...more });
      return details.flatMap(({ links = [] }) => links);
    };

    expect(await linked({})).toEqual([]);
    expect(await linked({ withLinks: 'true' })).toMatchObject([{ command: 'ListUnits', categoryId: '40' }]);
  });

  test('refuses a unit that the vehicle does not have', async () => {
    const values = { catalog: vehicle.catalog, ssd: vehicle.ssd, unitId: 'NRD9999' };
    const reply = await catalog.post('/listDetailByUnit', values);

    expect(reply.status).toBe(404);
    expect(await reply.json()).toMatchObject({ error: { code: 'UNIT_NOT_FOUND' } });
  });
});

describe('quick groups', () => {
  test('are a tree whose groups with a link have parts, and those without have none', async () => {
    const groups = walk(await catalog.json<Group>('listQuickGroup', vehicle));
    const counts = groups.map(async ({ quickGroupId, link }) => {
      const values = { ...vehicle, quickGroupId: String(quickGroupId) };
      return { link, categories: (await catalog.json<Category[]>('listQuickDetail', values)).length };
    });

    expect(groups.some(({ children }) => children.some((child) => child.children.length > 0))).toBe(true);
    for (const { link, categories } of await Promise.all(counts)) expect(categories > 0).toBe(link);
  });

  test('show the parts of a group by category and unit', async () => {
    const categories = await catalog.json<Category[]>('listQuickDetail', { ...vehicle, quickGroupId: '111' });

    expect(categories).toMatchObject([
      { categoryId: '11', parentCategoryId: '10', childrens: false, units: [{ unitId: 'NRD1101' }] },
    ]);
    const details = categories[0]!.units[0]!.details;
    expect(details.map(({ name }) => name)).toEqual(['Oil filter']);
    expect(details[0]).not.toHaveProperty('match');
  });

  test('show the other parts of the unit too with all, and which ones match', async () => {
    const values = { ...vehicle, quickGroupId: '111', all: 'true' };
    const [category] = await catalog.json<Category[]>('listQuickDetail', values);
    const { unitId, ssd, details } = category!.units[0]!;
    const everything = await catalog.json<Detail[]>('listDetailByUnit', { catalog: vehicle.catalog, unitId, ssd });

    expect(details.map(({ oem }) => oem)).toEqual(everything.map(({ oem }) => oem));
    expect(details.filter(({ match }) => match).map(({ name }) => name)).toEqual(['Oil filter']);
    expect(details.every(({ match }) => typeof match === 'boolean')).toBe(true);
  });

  test.each([
    ['999', 404, 'QUICK_GROUP_NOT_FOUND'],
    ['x', 400, 'INVALID_PARAMETER'],
  ])('refuse the group %s', async (quickGroupId, status, code) => {
    const reply = await catalog.post('/listQuickDetail', { ...vehicle, quickGroupId });

    expect(reply.status).toBe(status);
    expect(await reply.json()).toMatchObject({ error: { code } });
  });
});
